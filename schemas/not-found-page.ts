import { SITE_STYLE } from './site.ts'

/** What a person sees at an address that is neither a page nor of the API; it loads nothing but the style of the pages. */
export const notFoundPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Nothing here · z100</title>
<link rel="stylesheet" href="/${SITE_STYLE}">
</head>
<body>
<header class="top"><a class="mark" href="/">z100</a></header>
<main>
<div class="title"><h1>There is nothing at this address</h1>
<p><a href="/">The boards</a> lead to every page. The API lies below /v1: <a href="/docs/api">its reference</a>.</p></div>
</main>
</body>
</html>
`
