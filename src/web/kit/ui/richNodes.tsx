/** A text with elements, drawn without HTML. */
import { type ComponentChild, h } from 'preact'
import type { RichNode } from '#wire/richText'

/** The largest heading in a text, from 1 to 6. */
function largestHeading(nodes: readonly RichNode[]): number {
  const levels = nodes.flatMap((node) => {
    if (typeof node === 'string') return []
    const own = /^h[1-6]$/.test(node.name) ? [Number(node.name[1])] : []
    return [...own, largestHeading(node.children)]
  })
  return Math.min(6, ...levels)
}

type Props = {
  nodes: readonly RichNode[]
  /** The level of its largest headings. */
  top?: number
  /** The `id` of a heading, for links to it. */
  idOf?: (heading: RichNode) => string | undefined
}

/** A text as elements. There is no way from a text to HTML here. */
export function Rich({ nodes, top = 3, idOf }: Props) {
  const lower = top - largestHeading(nodes)
  const renderNode = (node: RichNode): ComponentChild => {
    if (typeof node === 'string') return node
    const { name, attributes, children } = node
    const isHeading = /^h[1-6]$/.test(name)
    const shown = isHeading ? `h${Math.min(6, Number(name[1]) + lower)}` : name
    const id = isHeading ? idOf?.(node) : undefined
    const more = {
      ...(name === 'a' ? { target: '_blank', rel: 'noreferrer noopener' } : {}),
      ...(name === 'img' && !('alt' in attributes) ? { alt: '' } : {}),
      ...(id ? { id, tabIndex: -1 } : {}),
    }
    return h(shown, { ...attributes, ...more }, ...children.map(renderNode))
  }
  return <>{nodes.map(renderNode)}</>
}
