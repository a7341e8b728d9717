"""How each kind of question is answered: a plan looks at the case and says something, or nothing.

Which plan goes first is written in `pincite.answer.compose`.
"""
