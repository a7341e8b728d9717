"""Does my adapter keep the contract of its port?

In: an adapter of a port of `pincite.ports`. Out: contract kits (classes of tests, run by pytest) and honest
in-memory adapters that serve as oracles. Only the modules named `*_contract` need pytest.
Never: used by the product itself, or patched into it.
"""
