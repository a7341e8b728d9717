"""Where the record and the receipts of a store are: in its folder, or in the database that the settings name."""

from __future__ import annotations

from pathlib import Path

from pincite.errors import StoreError
from pincite.settings import Settings
from pincite.store.database import Place, translated
from pincite.store_files import RECEIPTS, RECORD, RECORD_ELSEWHERE

LONGEST_NOTE = 300


def places_of(settings: Settings, store: Path) -> tuple[Place, Place]:
    """Where record and receipts are. StoreError where the settings name another place than the store has them in,
    SettingsError for a URL that is none."""
    noted = noted_elsewhere(store)
    if not settings.record_url:
        if noted:
            raise StoreError(
                f"the record of {store} is in {noted}: set record_url to it, or fetch it with pincite migrate"
            )
        return store / RECORD, store / RECEIPTS
    from pincite.store.postgres import name_of, url_of

    url = url_of(settings.record_url, settings.record_password)
    if (store / RECORD).is_file():
        raise StoreError(
            f"{store} has its record in {RECORD}: move it with pincite migrate --to {name_of(url)}, or leave "
            "record_url empty"
        )
    if noted and noted != name_of(url):
        raise StoreError(f"the record of {store} is in {noted}, not in {name_of(url)}: correct record_url, or --store")
    return url, url


def noted_elsewhere(store: Path) -> str:
    """The name of the database that holds the record of this store; empty where its folder does."""
    try:
        text = (store / RECORD_ELSEWHERE).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return " ".join(text.split())[:LONGEST_NOTE]


def note_elsewhere(place: Place, store: Path) -> None:
    """Have the folder of a store say in which database its record is."""
    if not isinstance(place, Path) and not noted_elsewhere(store):
        from pincite.store.postgres import name_of

        with translated(store):
            (store / RECORD_ELSEWHERE).write_text(f"{name_of(place)}\n", encoding="utf-8")
