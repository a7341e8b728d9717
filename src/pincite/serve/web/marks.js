/** Where the marks stand in the picture of a page, so that it can be scrolled there. */

const WIDTH = 200;
/** Pixels to which a picture is shrunk: a marked line is still some pixels long. By eye, not measured. */
const LEAST = 4;
/** Pixels that make a row a marked one. By eye, not measured. */

/**
 * How far down the first marked row stands: 0 at the top, 1 at the end; 0 where none is.
 * @param {HTMLImageElement} picture
 * @returns {number}
 */
export function firstMark(picture) {
  const height = Math.round((WIDTH * picture.naturalHeight) / picture.naturalWidth);
  const canvas = new OffscreenCanvas(WIDTH, height);
  const drawing = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
  drawing.drawImage(picture, 0, 0, WIDTH, height);
  const { data } = drawing.getImageData(0, 0, WIDTH, height);
  for (let row = 0; row < height; row += 1) {
    let count = 0;
    for (let at = 4 * row * WIDTH; at < 4 * (row + 1) * WIDTH; at += 4) count += isTinted(data, at) ? 1 : 0;
    if (count >= LEAST) return row / height;
  }
  return 0;
}

/**
 * Whether a pixel is as yellow as marked paper.
 * @param {Uint8ClampedArray} data
 * @param {number} at
 * @returns {boolean}
 */
function isTinted(data, at) {
  return data[at] > 200 && data[at + 1] > 180 && data[at] - data[at + 2] > 90;
}
