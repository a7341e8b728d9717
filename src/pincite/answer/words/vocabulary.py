"""The fixed words of answers and questions, in one place: template words, word families, countries."""

from __future__ import annotations

from functools import lru_cache

TEMPLATE_WORDS = frozenset(
    "yes no step settled for where this part applies information found referred to but not in this folder "
    "nearest answer against higher lower also two figures on two bases cannot be read see the page itself "
    "expression other gives question does give symbol basis report".split()
)
NEGATIONS = frozenset("not no never none without unless except nor neither cannot".split())
MODALS = frozenset("shall should must may might can could need will would".split())
NEGATIONS_AND_MODALS = NEGATIONS | MODALS
MONTHS = (
    "january february march april may june july august september october november december".split(),
    "jan feb mar apr may jun jul aug sep oct nov dec".split(),
)
# Words of questions that no answer has to hold.
ASKING_WORDS = frozenset(
    "many much often say says said tell list name give please also my our onto i we want like am".split()
)
NUMBER_WORDS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand "
    "million billion dozen once twice".split()
)

# English stems that speak of one thing: a question's "birthday" is answered by "born".
_FAMILIES = (
    "born birth birthday birthplac nativ",
    "die death dead kill",
    "marri spous wife husband wed marriag",
    "father mother parent son daughter child children",
    "grandfath grandmoth grandson granddaught grandpar",
    "film movi",
    "song singl track",
    "locat situat",
    "nation countri citizenship",
    "releas premier publish",
    "compani corpor firm",
    "start begin began begun commenc",
    "end finish conclud",
    "educ studi school graduat univers colleg",
    "work employ job occup profess",
    "name call titl known",
    "sale revenu",
    "expens spend spent expenditur cost",
    "capit capex",
    "earn profit incom",
    "size area",
    "popul inhabit",
    *("buy bought", "sell sold", "win won", "lose lost", "writ write wrote written", "build built", "lead led"),
    *("make made", "pay paid", "give gave given", "take took taken", "grow grew grown", "fall fell fallen"),
    *("rise rose risen", "teach taught", "draw drew drawn", "speak spoke spoken", "run ran"),
    *("send sent", "meet met", "becom becam", "choos chose chosen", "break broke broken", "hold held"),
)
_ENDINGS = ("ation", "ment", "tion", "ing", "ion", "or", "er", "ed", "al", "e")
LEAST_ROOT = 4

_COUNTRIES = """Afghanistan Afghan|Albania Albanian|Algeria Algerian|Andorra Andorran|Angola Angolan
|Argentina Argentine Argentinian|Armenia Armenian|Australia Australian|Austria Austrian|Azerbaijan Azerbaijani
|Bahamas Bahamian|Bahrain Bahraini|Bangladesh Bangladeshi|Barbados Barbadian|Belarus Belarusian|Belgium Belgian
|Benin Beninese|Bolivia Bolivian|Bosnia Bosnian|Botswana|Brazil Brazilian|Bulgaria Bulgarian|Burkina_Faso|Burma Burmese
Myanmar|Cambodia Cambodian|Cameroon Cameroonian|Canada Canadian|Cape_Verde Cape_Verdean|Chad Chadian|Chile Chilean
|China Chinese|Colombia Colombian|Congo Congolese|Costa_Rica Costa_Rican|Croatia Croatian|Cuba Cuban|Cyprus Cypriot
|Czech_Republic Czech Czechoslovakia Czechoslovak|Denmark Danish|Dominican_Republic Dominican|Ecuador Ecuadorian
|Egypt Egyptian|El_Salvador Salvadoran|Eritrea Eritrean|Estonia Estonian|Ethiopia Ethiopian|Fiji Fijian
|Finland Finnish|France French|Gabon Gabonese|Gambia Gambian|Georgia Georgian|Germany German|Ghana Ghanaian
|Greece Greek|Guatemala Guatemalan|Guinea Guinean|Guyana Guyanese|Haiti Haitian|Honduras Honduran|Hong_Kong
|Hungary Hungarian|Iceland Icelandic|India Indian|Indonesia Indonesian|Iran Iranian Persian|Iraq Iraqi|Ireland Irish
|Israel Israeli|Italy Italian|Ivory_Coast Ivorian|Jamaica Jamaican|Japan Japanese|Jordan Jordanian|Kazakhstan Kazakh
Kazakhstani|Kenya Kenyan|Kosovo Kosovar|Kuwait Kuwaiti|Kyrgyzstan Kyrgyz|Laos Laotian|Latvia Latvian
|Lebanon Lebanese|Liberia Liberian|Libya Libyan|Liechtenstein|Lithuania Lithuanian|Luxembourg Luxembourgish
|Macedonia Macedonian|Madagascar Malagasy|Malawi Malawian|Malaysia Malaysian|Mali Malian|Malta Maltese|Mauritius
Mauritian|Mexico Mexican|Moldova Moldovan|Monaco|Mongolia Mongolian|Montenegro Montenegrin|Morocco Moroccan
|Mozambique Mozambican|Namibia Namibian|Nepal Nepalese Nepali|Netherlands Dutch|New_Zealand|Nicaragua Nicaraguan
|Niger|Nigeria Nigerian|North_Korea North_Korean|Norway Norwegian|Oman Omani|Pakistan Pakistani|Palestine Palestinian
|Panama Panamanian|Paraguay Paraguayan|Peru Peruvian|Philippines Filipino Philippine|Poland Polish|Portugal Portuguese
|Puerto_Rico Puerto_Rican|Qatar Qatari|Romania Romanian|Russia Russian Soviet|Rwanda Rwandan|Saudi_Arabia Saudi
|Senegal Senegalese|Serbia Serbian Yugoslavia Yugoslav|Sierra_Leone|Singapore Singaporean|Slovakia Slovak
|Slovenia Slovene Slovenian|Somalia Somali|South_Africa South_African|South_Korea South_Korean Korean|Spain Spanish
|Sri_Lanka Sri_Lankan|Sudan Sudanese|Suriname Surinamese|Sweden Swedish|Switzerland Swiss|Syria Syrian
|Taiwan Taiwanese|Tajikistan Tajik|Tanzania Tanzanian|Thailand Thai|Togo Togolese|Trinidad Trinidadian
|Tunisia Tunisian|Turkey Turkish|Turkmenistan Turkmen|Uganda Ugandan|Ukraine Ukrainian|United_Arab_Emirates Emirati
|United_Kingdom British Britain UK England English Scotland Scottish Wales Welsh
|United_States American USA US U.S. America Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware
Florida Hawaii Idaho Illinois Indiana Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota
Mississippi Missouri Montana Nebraska Nevada New_Hampshire New_Jersey New_Mexico New_York North_Carolina North_Dakota
Ohio Oklahoma Oregon Pennsylvania Rhode_Island South_Carolina South_Dakota Tennessee Texas Utah Vermont Virginia
Washington West_Virginia Wisconsin Wyoming|Uruguay Uruguayan|Uzbekistan Uzbek|Venezuela Venezuelan
|Vietnam Vietnamese|Yemen Yemeni|Zambia Zambian|Zimbabwe Zimbabwean"""


# Who stands in which relation to a work or a company; word families, see `root`.
ROLES = ("direct", "perform", "compos", "found", "produc", "writ", "author", "creat", "sing")


@lru_cache(maxsize=1)
def country_names() -> dict[str, str]:
    """Each name of a country and each adjective for it, with the country's first name."""
    groups = [group.replace("\n", " ").split() for group in _COUNTRIES.split("|")]
    return {name.replace("_", " "): group[0].replace("_", " ") for group in groups for name in group}


@lru_cache(maxsize=8192)
def root(token: str) -> str:
    """What words of one family share: "director" and "directed", "born" and "birthday"."""
    if token in _family_of():
        return _family_of()[token]
    for ending in _ENDINGS:
        if token.endswith(ending) and len(token) - len(ending) >= LEAST_ROOT:
            return token[: -len(ending)]
    return token


@lru_cache(maxsize=1)
def _family_of() -> dict[str, str]:
    return {stem: family.split()[0] for family in _FAMILIES for stem in family.split()}
