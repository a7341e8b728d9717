"""Words that British and American English spell differently, in one spelling, so that a question finds both."""

from __future__ import annotations

import re

_MAY_DIFFER = re.compile(r"is[ei]|isa|ys[ei]|our|[bt]re|ll[ei]|enc|ogue|^(?:programme|aluminium|sulph|grey)")
_ISE = re.compile(r"(?<=\w{3})is(?=(?:e[drs]?|ers|ing|able|ations?|ational)$)")
_KEPT = re.compile(
    r"(?:adv|advert|appra|chast|compr|comprom|conc|dem|desp|dev|disgu|enfranch|enterpr|exc|exerc|expert|franch|improv|inc"
    r"|likew|merchand|otherw|parad|pra|prec|prem|prom|rev|superv|surm|surpr|telev|treat)is"
)
"""Words in "-ise" on both sides of the ocean."""
_RULES = tuple(
    (re.compile(pattern), spelled)
    for pattern, spelled in (
        (r"(?<=al)ys(?=(?:e[drs]?|ing)$)", "yz"),
        (r"(?<=\w{3})our(?=(?:s|ed|ing|able|ably|ful|less|ly|al|er|ers|hood|hoods|ite|ites)?$)", "or"),
        (r"(?<=\w[bt])re(?=s?$)", "er"),
        (r"(?<=[aeiou][lmbcndtv][aeo]l)l(?=(?:ed|ing|er|ers)$)", ""),
        (r"^(lic|def|off)enc(?=(?:es?|ed|ing)$)", r"\1ens"),
        (r"^(catal|dial)ogue", r"\1og"),
        (r"^programme(?=s?$)", "program"),
        (r"^aluminium", "aluminum"),
        (r"^sulph", "sulf"),
        (r"^grey", "gray"),
    )
)


def one_spelling(word: str) -> str:
    """An English word in small letters as it is spelled in America: "colour", "organised", "metres", "licence"."""
    if not _MAY_DIFFER.search(word):
        return word
    if not _KEPT.match(word):
        word = _ISE.sub("iz", word)
    for pattern, spelled in _RULES:
        word = pattern.sub(spelled, word)
    return word
