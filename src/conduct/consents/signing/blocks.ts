/** A sheet as blocks that can be printed: what its tree says, without what paper cannot show. */
import type { RichNode } from '#wire/richText'

/** `depth`: how far it is indented. */
export type SheetBlock =
  | { as: 'heading' | 'text'; text: string; depth: number }
  | { as: 'rule' }
  | { as: 'image'; source: string; text: string }

type Element = Exclude<RichNode, string>

/** Elements that stand in a line of text. */
const inline = new Set('strong b em i u s sub sup small mark code a br'.split(' '))
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'caption', 'figcaption', 'dt'])

/** The text of nodes; of a link also its address, since paper has no links. */
function textOf(nodes: readonly RichNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node
      if (node.name === 'br') return '\n'
      const text = textOf(node.children)
      const href = node.name === 'a' ? node.attributes.href : undefined
      return href && href !== text ? `${text} (${href})` : text
    })
    .join('')
}

const collapseSpaces = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ *\n */g, '\n')
    .trim()

/** The blocks of a sheet, in order. */
export function blocksOf(nodes: readonly RichNode[], depth = 0, mark = ''): SheetBlock[] {
  const blocks: SheetBlock[] = []
  let line: RichNode[] = []
  let rest = mark
  function close(as: 'heading' | 'text' = 'text'): void {
    const text = collapseSpaces(textOf(line))
    line = []
    if (!text) return
    blocks.push({ as, text: `${rest}${text}`, depth })
    rest = ''
  }
  for (const node of nodes) {
    if (typeof node === 'string' || (inline.has(node.name) && !hasBlocks(node))) {
      line.push(node)
      continue
    }
    close()
    const own = blocksOfElement(node, depth)
    // The mark of an item stands before its first text.
    const first = rest ? own.findIndex((each) => each.as === 'text' || each.as === 'heading') : -1
    for (const [at, each] of own.entries()) {
      if (at === first && (each.as === 'text' || each.as === 'heading')) {
        blocks.push({ ...each, text: `${rest}${each.text}` })
        rest = ''
      } else blocks.push(each)
    }
  }
  close()
  return blocks
}

const hasBlocks = (node: Element): boolean =>
  node.children.some((child) => typeof child !== 'string' && (!inline.has(child.name) || hasBlocks(child)))

function blocksOfElement(node: Element, depth: number): SheetBlock[] {
  const { name, attributes, children } = node
  if (name === 'hr') return [{ as: 'rule' }]
  if (name === 'img') return [{ as: 'image', source: attributes.src ?? '', text: collapseSpaces(attributes.alt ?? '') }]
  if (name === 'ul' || name === 'ol') return itemsOf(node, depth)
  if (name === 'tr') return rowOf(node, depth)
  if (headings.has(name) && !hasBlocks(node)) {
    const text = collapseSpaces(textOf(children))
    return text ? [{ as: 'heading', text, depth }] : []
  }
  return blocksOf(children, name === 'blockquote' || name === 'dd' ? depth + 1 : depth)
}

function itemsOf({ name, attributes, children }: Element, depth: number): SheetBlock[] {
  let number = Number(attributes.start ?? 1)
  return children.flatMap((child) => {
    if (typeof child === 'string' || child.name !== 'li') return blocksOf([child], depth + 1)
    return blocksOf(child.children, depth + 1, name === 'ol' ? `${number++}. ` : '• ')
  })
}

/** A row of a table as one line, its cells with bars between. Images in it follow. */
function rowOf({ children }: Element, depth: number): SheetBlock[] {
  const cells = children.map((cell) => blocksOf([cell], depth))
  const text = cells
    .map((blocks) => blocks.flatMap((each) => ('text' in each && each.as !== 'image' ? [each.text] : [])).join(' '))
    .filter(Boolean)
    .join(' | ')
  const images = cells.flat().filter(({ as }) => as === 'image')
  return text ? [{ as: 'text', text, depth }, ...images] : images
}
