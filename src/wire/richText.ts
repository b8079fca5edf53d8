/**
 * Reads HTML that somebody wrote as a tree, to be drawn without HTML. The server has cleaned it already (`html.ts`), and writes it in
 * one form only: lower case, closed elements, quoted attributes, four entities. Whatever else is there becomes text. It runs in browsers
 * too, so it imports nothing.
 */

export type RichNode =
  | string
  | { name: string; attributes: Readonly<Record<string, string>>; children: readonly RichNode[] }

type OpenElement = { name: string; attributes: Record<string, string>; children: RichNode[] }

/** The elements that are drawn, each with its attributes. Of others, only the content is. */
const allowedAttributes: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    (
      'p br hr h1 h2 h3 h4 h5 h6 strong b em i u s sub sup small mark blockquote pre code ul li dl dt dd ' +
      'table caption thead tbody tfoot tr figure figcaption'
    )
      .split(' ')
      .map((name) => [name, []]),
  ),
  ol: ['start'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
  a: ['href'],
  img: ['src', 'alt'],
}
const emptyElements = new Set(['br', 'hr', 'img'])
const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

const unescaped = (text: string): string => text.replace(/&(amp|lt|gt|quot);/g, (each) => entities[each] ?? each)

/** An address that a link may lead to, and a picture that may be shown. */
const attributePatterns: Readonly<Record<string, RegExp>> = {
  href: /^(https?:\/\/|mailto:|tel:)/i,
  src: /^data:image\/(png|jpeg|gif|webp);base64,/,
}

function attributesOf(name: string, text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [, key = '', value = ''] of text.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
    const read = unescaped(value)
    if (allowedAttributes[name]?.includes(key) && (attributePatterns[key]?.test(read) ?? true)) found[key] = read
  }
  return found
}

/** The tree of a text. @param html as `safeHtml` returns it */
export function richText(html: string): readonly RichNode[] {
  const root: OpenElement = { name: '', attributes: {}, children: [] }
  const open: OpenElement[] = [root]
  const last = () => open.at(-1) ?? root
  for (const [token, closing, name = '', attributes = ''] of html.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"]*")*)>|[^<]+|</g,
  )) {
    if (!name) {
      last().children.push(unescaped(token))
    } else if (!Object.hasOwn(allowedAttributes, name)) {
    } else if (closing) {
      const at = open.findLastIndex((each) => each.name === name)
      if (at > 0) open.length = at
    } else {
      const element: OpenElement = { name, attributes: attributesOf(name, attributes), children: [] }
      last().children.push(element)
      if (!emptyElements.has(name)) open.push(element)
    }
  }
  return root.children
}
