"""How do other programs, and people in a browser, use all this?"""
