"""What OCR takes for what in numbers: letters for digits ("6.l0"), and digits for letters ("8.3.1" in Annex B)."""

from __future__ import annotations

DIGIT_FOR = str.maketrans("lIOoSsB", "1100558")
"""The digit that was printed, for `str.translate`; for text of which it is known that it counts in digits."""
SURE_DIGIT_FOR = str.maketrans("lIO", "110")
"""The same without the letters that numbers of annexes have."""
LETTERS_FOR = {"8": "B", "0": "DO", "5": "S", "6": "G"}
"""The letters that may have been printed, the likeliest first."""
