"""The Model Context Protocol, by which tools of other programs come in and ours go out.

`McpServer` connects to a server and makes its tools ours; `cellwright mcp` offers our tools to any client. Both speak
through the official SDK, the extra `mcp`, which is imported only once a connection is made. The rule that must never
break: what a server says of itself gives it no permission, and what it sends harms nothing but itself.
"""
