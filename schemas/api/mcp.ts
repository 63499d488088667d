/** The address of the tools for agents (clients/mcp/). */

/** Where they are served over HTTP. */
export const MCP_PATH = '/mcp'

/** The methods of that address, as the header Allow has them: it takes messages, and keeps no session that could be read. */
export const MCP_METHODS = 'POST, OPTIONS'
