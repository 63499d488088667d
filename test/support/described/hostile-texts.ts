/** Texts that somebody puts into the name, symbol or URI of a token to break out of wherever they are shown. */

/** Stands for bytes that are no UTF-8: ABI encoding cannot carry them, so they are put into the transaction's data. */
export const INVALID = 'QQQQQQQQ'
export const INVALID_BYTES = 'ff80c0afeda080fe'

const breakers: readonly string[] = [
  // HTML and SVG
  ...['<script>alert(1)</script>', '</title><script>alert(1)</script>', '"><img src=x onerror=alert(1)>'],
  ...[
    '<svg/onload=alert(1)>',
    '</text></svg><script>alert(1)</script>',
    "' onmouseover='alert(1)",
    '<!--',
    ']]>',
  ],
  ...['&lt;script&gt;', '&#x3c;b&#x3e;', '<style>*{display:none}</style>', '<base href=//example.invalid>'],
  ...['javascript:alert(1)', '{{7*7}}', '#{7*7}', '<%= 7 %>', '<meta http-equiv=refresh content=0>'],
  // JSON, SQL, spreadsheets, shells, headers
  ...['"}],"price_usd":1e9,"x":[{"y":"', '\\', '\\"', '\\u0022', '\u2028\u2029', '"\n\ndata: {}\n\n'],
  ...["'; DROP TABLE tokens;--", '1 OR 1=1', '=HYPERLINK("//example.invalid")', '@SUM(1)', '+1', '-1'],
  ...[
    '$(reboot)',
    '`id`',
    '; rm -rf .',
    '%n%s%x',
    '../../etc/passwd',
    'a\r\nSet-Cookie: a=b',
    'a\nevent: resync\n',
  ],
  // Terminals and logs
  ...[
    '\u001b[31mred',
    '\u001b]0;title\u0007',
    '\u001b[2J\u001b[H',
    '\u009b31m',
    '\u0008\u0008\u0008',
    '\u0000',
  ],
  // What is not seen, or turns the line
  ...[
    '\u202egpj.exe',
    '\u2066\u2069\u200f',
    '\u200b\u200c\u2060',
    '\u3164',
    '\ufeff',
    '\u00ad',
    '\u{e0041}\u{e007f}',
  ],
  ...['\ufe0f', '\u180e', '\uffa0', '\u115f', `Z${'\u0351\u0343'.repeat(40)}`],
  // Lookalikes
  ...['ΖΟRΑ', 'ZОRА', 'ｚｏｒａ', 'zοra', 'USDС', 'еth', '𝐙𝐎𝐑𝐀', 'Z0RA'],
  // Words of the machinery
  ...[
    '__proto__',
    'constructor',
    'toString',
    'null',
    'undefined',
    'NaN',
    'true',
    '0',
    '1e309',
    'X#s#foo',
    'DOC#2',
  ],
  ...['', ' ', '\u2800', INVALID, `a${INVALID}b`, '\ufffe\uffff', '𝔘'.repeat(40)],
]

const TEN_KB = 10 * 1_024
const forms: readonly ((text: string, mark: string) => string)[] = [
  (text) => text,
  (text, mark) => `${mark}${text}`,
  (text, mark) => `${text}${mark}`,
  (text, mark) => `${mark}${text}${mark}${text}`,
  (text, mark) => `${mark} ${text} ${text.toUpperCase()}`,
]
const longForm = (text: string, mark: string) =>
  `${mark}${text.repeat(Math.ceil(TEN_KB / Math.max(text.length, 1)))}`.slice(0, TEN_KB)

type HostileTexts = { readonly name: string; readonly symbol: string; readonly uri: string }

/** So many descriptions; what others than the token's own fields say holds no `mark`. One in seven has a name of 10 KB. */
export const hostileTexts = (count: number, mark: string): readonly HostileTexts[] =>
  Array.from({ length: count }, (_, at) => {
    const text = (step: number) => breakers[(at * step) % breakers.length] ?? ''
    const which = at + Math.floor(at / breakers.length)
    const form = (word: string, turn: number) => (forms[turn % forms.length] ?? String)(word, mark)
    const isLong = at % 7 === 6
    return {
      name: isLong ? longForm(text(1), mark) : form(text(1), which),
      symbol: form(text(11), which + 1).slice(0, 300),
      uri: form(text(7), which + 2),
    }
  })
