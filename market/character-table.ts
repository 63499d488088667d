/**
 * Classes of code points, as of Unicode 17. A fixed table, because the runtime's own changes with its version and names
 * must be cleaned the same way forever.
 */

/** Ranges of code points in hex. */
type Ranges = readonly (readonly [first: number, last: number])[]

const rangesFrom = (text: string): Ranges =>
  text.split(' ').map((range) => {
    const [first = '', last = first] = range.split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
  })

/** Cc, Cf, Zl, Zp and Default_Ignorable_Code_Point: control, format, bidirectional, line-separating and invisible characters. */
const unseen = rangesFrom(
  '0-1f 7f-9f ad 34f 600-605 61c 6dd 70f 890-891 8e2 115f-1160 17b4-17b5 180b-180f 200b-200f ' +
    '2028-202e 2060-206f 3164 fe00-fe0f feff ffa0 fff0-fffb 110bd 110cd 13430-1343f 1bca0-1bca3 ' +
    '1d173-1d17a e0000-e0fff',
)

/** Extended_Pictographic and Emoji_Modifier: the parts of emoji. */
const pictographs = rangesFrom(
  'a9 ae 203c 2049 2122 2139 2194-2199 21a9-21aa 231a-231b 2328 23cf 23e9-23f3 23f8-23fa 24c2 ' +
    '25aa-25ab 25b6 25c0 25fb-25fe 2600-2604 260e 2611 2614-2615 2618 261d 2620 2622-2623 2626 262a ' +
    '262e-262f 2638-263a 2640 2642 2648-2653 265f-2660 2663 2665-2666 2668 267b 267e-267f 2692-2697 ' +
    '2699 269b-269c 26a0-26a1 26a7 26aa-26ab 26b0-26b1 26bd-26be 26c4-26c5 26c8 26ce-26cf 26d1 ' +
    '26d3-26d4 26e9-26ea 26f0-26f5 26f7-26fa 26fd 2702 2705 2708-270d 270f 2712 2714 2716 271d 2721 ' +
    '2728 2733-2734 2744 2747 274c 274e 2753-2755 2757 2763-2764 2795-2797 27a1 27b0 27bf 2934-2935 ' +
    '2b05-2b07 2b1b-2b1c 2b50 2b55 3030 303d 3297 3299 1f004 1f02c-1f02f 1f094-1f09f 1f0af-1f0b0 ' +
    '1f0c0 1f0cf-1f0d0 1f0f6-1f0ff 1f170-1f171 1f17e-1f17f 1f18e 1f191-1f19a 1f1ae-1f1e5 1f201-1f20f ' +
    '1f21a 1f22f 1f232-1f23a 1f23c-1f23f 1f249-1f25f 1f266-1f321 1f324-1f393 1f396-1f397 1f399-1f39b ' +
    '1f39e-1f3f0 1f3f3-1f3f5 1f3f7-1f4fd 1f4ff-1f53d 1f549-1f54e 1f550-1f567 1f56f-1f570 1f573-1f57a ' +
    '1f587 1f58a-1f58d 1f590 1f595-1f596 1f5a4-1f5a5 1f5a8 1f5b1-1f5b2 1f5bc 1f5c2-1f5c4 1f5d1-1f5d3 ' +
    '1f5dc-1f5de 1f5e1 1f5e3 1f5e8 1f5ef 1f5f3 1f5fa-1f64f 1f680-1f6c5 1f6cb-1f6d2 1f6d5-1f6e5 1f6e9 ' +
    '1f6eb-1f6f0 1f6f3-1f6ff 1f7da-1f7ff 1f80c-1f80f 1f848-1f84f 1f85a-1f85f 1f888-1f88f 1f8ae-1f8af ' +
    '1f8bc-1f8bf 1f8c2-1f8cf 1f8d9-1f8ff 1f90c-1f93a 1f93c-1f945 1f947-1f9ff 1fa58-1fa5f 1fa6e-1faff ' +
    '1fc00-1fffd',
)

/** M, P, S and Z: marks, punctuation, symbols and spaces, with the unassigned code points between them. */
const unlettered = rangesFrom(
  '20-2f 3a-40 5b-60 7b-a9 ab-b1 b4 b6-b8 bb bf d7 f7 2c2-2c5 2d2-2df 2e5-2eb 2ed 2ef-36f 375 37e ' +
    '384-385 387 3f6 482-489 55a-55f 589-5c7 5f3-61f 64b-65f 66a-66d 670 6d4 6d6-6e4 6e7-6ed 6fd-6fe ' +
    '700-70d 711 730-74a 7a6-7b0 7eb-7f3 7f6-7f9 7fd-7ff 816-819 81b-823 825-827 829-83e 859-85e 888 ' +
    '897-89f 8ca-903 93a-93c 93e-94f 951-957 962-965 970 981-983 9bc 9be-9cd 9d7 9e2-9e3 9f2-9f3 ' +
    '9fa-9fb 9fd-a03 a3c-a51 a70-a71 a75-a83 abc abe-acd ae2-ae3 af0-af1 afa-b03 b3c b3e-b57 b62-b63 ' +
    'b70 b82 bbe-bcd bd7 bf3-c04 c3c c3e-c56 c62-c63 c77 c7f c81-c84 cbc cbe-cd6 ce2-ce3 cf3-d03 ' +
    'd3b-d3c d3e-d4d d4f d57 d62-d63 d79 d81-d83 dca-ddf df2-df4 e31 e34-e3f e47-e4f e5a-e5b eb1 ' +
    'eb4-ebc ec8-ece f01-f1f f34-f3f f71-f87 f8d-fda 102b-103e 104a-104f 1056-1059 105e-1060 1062-1064 ' +
    '1067-106d 1071-1074 1082-108d 108f 109a-109f 10fb 135d-1368 1390-1399 1400 166d-166e 1680 ' +
    '169b-169c 16eb-16ed 1712-1715 1732-1736 1752-1753 1772-1773 17b4-17d6 17d8-17db 17dd 1800-180f ' +
    '1885-1886 18a9 1920-1945 19de-19ff 1a17-1a1f 1a55-1a7f 1aa0-1aa6 1aa8-1b04 1b34-1b44 1b4e-1b4f ' +
    '1b5a-1b82 1ba1-1bad 1be6-1bff 1c24-1c3f 1c7e-1c7f 1cc0-1ce8 1ced 1cf4 1cf7-1cf9 1dc0-1dff 1fbd ' +
    '1fbf-1fc1 1fcd-1fcf 1fdd-1fdf 1fed-1fef 1ffd-205f 207a-207e 208a-208e 20a0-2101 2103-2106 ' +
    '2108-2109 2114 2116-2118 211e-2123 2125 2127 2129 212e 213a-213b 2140-2144 214a-214d 214f ' +
    '218a-244a 249c-24e9 2500-2775 2794-2bff 2ce5-2cea 2cef-2cf1 2cf9-2cfc 2cfe-2cff 2d70-2d7f ' +
    '2de0-2e2e 2e30-3004 3008-3020 302a-3030 3036-3037 303d-303f 3099-309c 30a0 30fb 3190-3191 ' +
    '3196-319f 31c0-31ef 3200-321e 322a-3247 3250 3260-327f 328a-32b0 32c0-33ff 4dc0-4dff a490-a4c6 ' +
    'a4fe-a4ff a60d-a60f a66f-a67e a69e-a69f a6f0-a716 a720-a721 a789-a78a a802 a806 a80b a823-a82c ' +
    'a836-a839 a874-a881 a8b4-a8cf a8e0-a8f1 a8f8-a8fa a8fc a8ff a926-a92f a947-a95f a980-a983 ' +
    'a9b3-a9cd a9de-a9df a9e5 aa29-aa36 aa43 aa4c-aa4d aa5c-aa5f aa77-aa79 aa7b-aa7d aab0 aab2-aab4 ' +
    'aab7-aab8 aabe-aabf aac1 aade-aadf aaeb-aaf1 aaf5-aaf6 ab5b ab6a-ab6b abe3-abed fb1e fb29 ' +
    'fbb2-fbd2 fd3e-fd4f fd90-fd91 fdc8-fdcf fdfc-fe6b ff01-ff0f ff1a-ff20 ff3b-ff40 ff5b-ff65 ' +
    'ffe0-fffd 10100-10102 10137-1013f 10179-10189 1018c-101fd 102e0 10376-1037a 1039f 103d0 1056f ' +
    '10857 10877-10878 1091f 1093f 10a01-10a0f 10a38-10a3f 10a50-10a58 10a7f 10ac8 10ae5-10ae6 ' +
    '10af0-10af6 10b39-10b3f 10b99-10b9c 10d24-10d27 10d69-10d6e 10d8e-10d8f 10eab-10ead 10ed0-10eff ' +
    '10f46-10f50 10f55-10f59 10f82-10f89 11000-11002 11038-1104d 11070 11073-11074 1107f-11082 ' +
    '110b0-110c2 11100-11102 11127-11134 11140-11143 11145-11146 11173-11175 11180-11182 111b3-111c0 ' +
    '111c5-111cf 111db 111dd-111df 1122c-1123e 11241 112a9 112df-112ea 11300-11303 1133b-1133c ' +
    '1133e-1134d 11357 11362-11374 113b8-113d0 113d2 113d4-113e2 11435-11446 1144b-1144f 1145a-1145e ' +
    '114b0-114c3 114c6 115af-115d7 115dc-115dd 11630-11643 11660-1166c 116ab-116b7 116b9 1171d-1172b ' +
    '1173c-1173f 1182c-1183b 11930-1193e 11940 11942-11946 119d1-119e0 119e2 119e4 11a01-11a0a ' +
    '11a33-11a39 11a3b-11a47 11a51-11a5b 11a8a-11a9c 11a9e-11aa2 11b00-11b67 11be1 11c2f-11c3f ' +
    '11c41-11c45 11c70-11c71 11c92-11cb6 11d31-11d45 11d47 11d8a-11d97 11ef3-11f01 11f03 11f34-11f4f ' +
    '11f5a 11fd5-11fff 12470-12474 12ff1-12ff2 13440 13447-13455 1611e-1612f 16a6e-16a6f 16af0-16af5 ' +
    '16b30-16b3f 16b44-16b45 16d6d-16d6f 16e97-16e9a 16f4f 16f51-16f92 16fe2 16fe4-16ff1 1bc9c-1ccef ' +
    '1ccfa-1d245 1d300-1d356 1d6c1 1d6db 1d6fb 1d715 1d735 1d74f 1d76f 1d789 1d7a9 1d7c3 1d800-1daaf ' +
    '1e000-1e02a 1e08f 1e130-1e136 1e14f 1e2ae 1e2ec-1e2ef 1e2ff 1e4ec-1e4ef 1e5ee-1e5ef 1e5ff 1e6e3 ' +
    '1e6e6 1e6ee-1e6ef 1e6f5 1e8d0-1e8d6 1e944-1e94a 1e95e-1e95f 1ecac 1ecb0 1ed2e 1eef0-1f0f5 ' +
    '1f10d-1fbef 1fbfa e0100-e01ef',
)

function isIn(ranges: Ranges, codePoint: number): boolean {
  let [low, high] = [0, ranges.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const [first, last] = ranges[middle] ?? [0, 0]
    if (codePoint < first) high = middle - 1
    else if (codePoint > last) low = middle + 1
    else return true
  }
  return false
}

/** An invisible character, or one that changes how its neighbours are shown. */
export const isUnseen = (codePoint: number): boolean => isIn(unseen, codePoint)

/** An emoji or an emoji modifier. */
export const isPictograph = (codePoint: number): boolean => isIn(pictographs, codePoint)

/** A mark, punctuation, a symbol or a space: neither a letter nor a digit. */
export const isUnlettered = (codePoint: number): boolean => isIn(unlettered, codePoint)
