/** The way to a key, wherever one is missing: on the pages, in a refusal and in a tool's answer. */

/** The part of the start page that leads to a key. */
export const KEY_PAGE = '/docs/start#a-key'

/** The same as a sentence; `site` is the service's address, where it is known. */
export const keyWay = (site = ''): string => `No key yet? ${site}${KEY_PAGE} says how to get one.`
