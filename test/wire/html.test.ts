/** Nothing in a text for participants can run, load anything, or leave its place on the page. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { hasVisibleContent, safeHtml } from '#wire/html'

describe('what texts need stays', () => {
  test.each([
    '<h2>Diet</h2><p>Eat <strong>well</strong>.</p>',
    '<ul><li>One</li><li>Two<ol start="3"><li>Three</li></ol></li></ul>',
    '<table><tbody><tr><th colspan="2">A</th></tr><tr><td>1</td><td>2</td></tr></tbody></table>',
    '<p>Ask <a href="https://example.org/a?b=1&amp;c=2" rel="noopener noreferrer">us</a><br>or call.</p>',
    '<p><a href="mailto:nurse@example.org" rel="noopener noreferrer">write</a></p>',
    '<p><a href="tel:+441234" rel="noopener noreferrer">call</a></p>',
    '<p><img src="data:image/png;base64,iVBORw0KGgo=" alt="A &quot;heart&quot;"></p>',
    'a &lt; b &amp; c &gt; d',
    'Größe ≤ 5 µm, 日本語, עברית',
  ])('%s', async (html) => {
    expect(await safeHtml(html)).toBe(html)
  })
})

describe('everything else goes', () => {
  test.each([
    ['<script>alert(1)</script>Hi', 'Hi'],
    ['<p onclick="x()" style="position:fixed" class="a" id="b">Hi</p>', '<p>Hi</p>'],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="java\tscript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href=" javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="&#106;avascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="//evil.example">x</a>', '<a>x</a>'],
    ['<a href="data:text/html,x">x</a>', '<a>x</a>'],
    ['<img src="https://evil.example/pixel.gif">', ''],
    ['<img src="data:image/svg+xml;base64,PHN2Zz4=">', ''],
    ['<img src=x onerror=alert(1)>', ''],
    ['<svg><script>alert(1)</script></svg>', ''],
    ['<math><mi><mglyph><style><img src=x onerror=alert(1)></style></mglyph></mi></math>', ''],
    ['<form action="https://evil.example"><p>Hi</p><input name=a></form>', '<p>Hi</p>'],
    ['<iframe src="https://evil.example"></iframe>', ''],
    ['<meta http-equiv=refresh content="0;url=//evil"><base href="//evil"><link rel=stylesheet href="//evil">Hi', 'Hi'],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', '"&gt;'],
    ['<select><template><script>alert(1)</script></template></select>', ''],
    ['<x-card><b>Hi</b></x-card>', '<b>Hi</b>'],
    ['<!-- comment --><!DOCTYPE html><?php x ?>Hi', 'Hi'],
    ['<b>open', '<b>open</b>'],
    ['<constructor>Hi</constructor><__proto__>there</__proto__>', 'Hi&lt;__proto__&gt;there'],
  ])('%s', async (html, safe) => {
    expect(await safeHtml(html)).toBe(safe)
  })

  test('nesting has an end', async () => {
    const safe = await safeHtml(`${'<div><b>'.repeat(5_000)}deep`)
    expect(safe.length).toBeLessThan(10_000)
  })
})

describe('HTML that is not closed', () => {
  const open = (count: number) => Array.from({ length: count }, (_, n) => `<b a${n}>`).join('')
  test.each([
    ['many elements in each paragraph', `<p>${open(2_000)}${'x<p>'.repeat(2_000)}`],
    [
      'a long link in each paragraph',
      `<p><a href="https://example.org/${'x'.repeat(50_000)}">${'x<p>'.repeat(10_000)}`,
    ],
    ['many elements in each cell', `<table><tr><td><p>${open(1_000)}${'x<p>'.repeat(5_000)}</table>`],
  ])('is refused if it would become too large: %s', async (_, html) => {
    expect(html.length).toBeLessThan(100_000)
    expect(await safeHtml(html).catch(({ status }) => status)).toBe(400)
  })

  test.each(['<p>', '<i>', '<br>', '<li>', '<td>x', '<b>x</i>'])('is kept if it is only long: %s', async (piece) => {
    expect(await safeHtml(piece.repeat(100_000 / piece.length))).toBeString()
  })
})

const pieces = fc.constantFrom(
  ...[
    '<p>',
    '</p>',
    '<b>',
    '</b>',
    '<a href="https://x.example">',
    '<a href="javascript:x">',
    '</a>',
    '<table>',
    '<tr><td>',
    '</table>',
  ],
  ...[
    '<svg>',
    '</svg>',
    '<math>',
    '<mtext>',
    '<style>',
    '</style>',
    '<script>',
    '</script>',
    '<template>',
    '<noscript>',
    '</noscript>',
  ],
  ...[
    '<select>',
    '<option>',
    '</select>',
    '<textarea>',
    '</textarea>',
    '<title>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<img src=x onerror=y>',
  ],
  ...[
    '<form>',
    '<button>',
    '</button>',
    '<plaintext>',
    '<xmp>',
    '<foreignObject>',
    '<annotation-xml encoding="text/html">',
    '&lt;img',
    '"',
    "'",
    '<',
    '>',
    'x',
  ],
)

test('whatever is sent, only allowed elements and attributes come out, and it is read as it is written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 30 }), async (parts) => {
      const safe = await safeHtml(parts.join(''))
      const walk = (nodes: DefaultTreeAdapterTypes.ChildNode[]): void => {
        for (const node of nodes) {
          if (!('tagName' in node)) continue
          expect(['p', 'b', 'a', 'table', 'tbody', 'tr', 'td']).toContain(node.tagName)
          for (const { name, value } of node.attrs)
            expect([name, value]).toEqual(
              name === 'href' ? ['href', 'https://x.example'] : ['rel', 'noopener noreferrer'],
            )
          walk(node.childNodes)
        }
      }
      walk(parseFragment(safe).childNodes)
      expect(await safeHtml(safe)).toBe(safe)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['<p>x</p>', true],
  ['<p>&amp;</p>', true],
  ['<p>  </p><b></b>', false],
  ['', false],
  ['\u00a0', false],
  ['<img src="data:image/png;base64,AA==">', true],
])('%j shows something: %p', (safe, shows) => {
  expect(hasVisibleContent(safe)).toBe(shows)
})
