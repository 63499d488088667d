/** Pages for the frames of other sites. */
import { contentSecurityPolicy, type PageFiles, pageHeaders } from './site.ts'

/** Pages that other sites may show in a frame, and no others. */
export const EMBED_PAGES = 'embed/'

/** What they show; each is an object of this name below EMBED_PAGES. */
export const embeds = ['token', 'index', 'board'] as const

/** Their headers. */
export const embedHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'content-security-policy': contentSecurityPolicy.replace("frame-ancestors 'none'", 'frame-ancestors *'),
}

/** A page that other sites show: it has no navigation, and loads its own script and style only. */
export const embedHtml = (kind: (typeof embeds)[number], files: Omit<PageFiles, 'imports'>): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>z100</title>
<link rel="stylesheet" href="${files.style}">
<script type="module" src="${files.script}"></script>
</head>
<body data-embed="${kind}"><main id="main"></main></body>
</html>
`
