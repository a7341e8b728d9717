/** Server-sent events of a response that fetch brings. */

/**
 * Each event as it arrives: its name, and its data as JSON.
 * @param {ReadableStream<any>} body
 * @returns {AsyncGenerator<{name: string, data: any}>}
 */
export async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const blocks = (waiting + read.value).split("\n\n");
    waiting = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = field(block, "data");
      if (data !== "") yield { name: field(block, "event"), data: JSON.parse(data) };
    }
  }
}

/**
 * @param {string} block
 * @param {string} name
 * @returns {string}
 */
function field(block, name) {
  const found = block.split("\n").filter((line) => line.startsWith(`${name}: `));
  return found.map((line) => line.slice(name.length + 2)).join("\n");
}
