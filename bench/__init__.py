"""How good and how fast is pincite, measured set by set? For its developers, in no wheel."""
