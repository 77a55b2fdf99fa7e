"""Pages of the web, fetched for a model by a program that stands inside someone's network.

A model can be talked into asking for any address, and the machine it asks from can reach more than the web: its own
services, the router, the metadata of a cloud. `url` reads an address strictly, `reach` says which machines may be
asked, `fetcher` connects to none but those, and `page` makes text of what came. The rule that must never break: a
connection goes to an address that was checked, and to that very one.
"""
