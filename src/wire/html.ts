/**
 * Makes HTML that a person wrote safe to show: only the elements and attributes that texts need are left. Nothing of it can
 * run, load anything from elsewhere, or change how the page around it looks.
 */
import type { DefaultTreeAdapterTypes } from 'parse5'
import { refuse } from '#kernel/problem'

/** The elements that stay, each with its attributes and what these must look like. Of other elements, the content stays. */
const attributes: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  ...Object.fromEntries(
    (
      'p br hr h1 h2 h3 h4 h5 h6 strong b em i u s sub sup small mark blockquote pre code ul li dl dt dd ' +
      'table caption thead tbody tfoot tr figure figcaption'
    )
      .split(' ')
      .map((name) => [name, {}]),
  ),
  ol: { start: /^-?\d{1,6}$/ },
  td: { colspan: /^\d{1,3}$/, rowspan: /^\d{1,3}$/ },
  th: { colspan: /^\d{1,3}$/, rowspan: /^\d{1,3}$/ },
  a: { href: /^(https?:\/\/|mailto:|tel:)[^\s\p{Cc}]+$/iu },
  img: { src: /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/, alt: /^[^\p{Cc}]*$/u },
}

/** The elements whose content goes with them. */
const droppedElements = new Set(
  (
    'script style template noscript iframe object embed applet title head textarea select button svg math audio video ' +
    'canvas noembed noframes xmp plaintext'
  ).split(' '),
)
const emptyElements = new Set(['br', 'hr', 'img'])
const XHTML = 'http://www.w3.org/1999/xhtml'
const DEEPEST = 200

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

type Node = DefaultTreeAdapterTypes.ChildNode

function serializeNode(node: Node, depth: number): string {
  if ('value' in node) return escaped(node.value)
  if (!('tagName' in node) || node.namespaceURI !== XHTML || droppedElements.has(node.tagName)) return ''
  // No text is nested deeper than this: such input could only overflow the stack.
  const content = depth < DEEPEST ? node.childNodes.map((child) => serializeNode(child, depth + 1)).join('') : ''
  const name = node.tagName
  const allowed = Object.hasOwn(attributes, name) ? attributes[name]! : undefined
  if (!allowed) return content
  const keptAttributes = node.attrs.filter(
    (each) => Object.hasOwn(allowed, each.name) && allowed[each.name]!.test(each.value),
  )
  if (name === 'img' && !keptAttributes.some((each) => each.name === 'src')) return ''
  const own = keptAttributes.map((each) => ` ${each.name}="${escaped(each.value).replaceAll('"', '&quot;')}"`).join('')
  const rel = name === 'a' && own ? ' rel="noopener noreferrer"' : ''
  return emptyElements.has(name) ? `<${name}${own}>` : `<${name}${own}${rel}>${content}</${name}>`
}

/** What all elements of a text may weigh, and what one weighs besides its attributes, in characters. */
const [MAX_WEIGHT, ELEMENT_WEIGHT] = [1_000_000, 20]

/**
 * The HTML that may be shown. The parser is loaded on first use, as it is large.
 * @throws 400 if elements are not closed, so that the parser would repeat them, attributes included, beyond measure
 */
export async function safeHtml(html: string): Promise<string> {
  const { defaultTreeAdapter, parseFragment } = await import('parse5')
  function sanitize(text: string): string {
    let weight = 0
    const createElement: typeof defaultTreeAdapter.createElement = (name, namespace, attrs) => {
      weight += attrs.reduce((sum, { value }) => sum + value.length, ELEMENT_WEIGHT)
      if (weight > MAX_WEIGHT) throw refuse.bad('htmlNotClosed')
      return defaultTreeAdapter.createElement(name, namespace, attrs)
    }
    const { childNodes } = parseFragment(text, { treeAdapter: { ...defaultTreeAdapter, createElement } })
    return childNodes.map((node) => serializeNode(node, 0)).join('')
  }
  let safe = sanitize(html)
  // What was left out may have kept other elements apart: again, until the result is read as it is written.
  for (let rounds = 0; rounds < 4; rounds++) {
    const next = sanitize(safe)
    if (next === safe) return safe
    safe = next
  }
  return safe
}

/** Whether safe HTML shows anything: a letter, a digit or another sign, or an image. */
export const hasVisibleContent = (safe: string): boolean =>
  /<(img|hr)\b/.test(safe) || /\S/.test(safe.replace(/<[^>]*>/g, '').replaceAll('&nbsp;', ' '))
