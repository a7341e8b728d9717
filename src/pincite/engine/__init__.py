"""What may be done with a store, and who may see what of it?

An engine indexes into a store and looks after it; a session asks it, bound to who asks. Never: builds adapters, prints.
"""
