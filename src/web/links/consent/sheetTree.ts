/** What a sheet says, without how it looks (pure). */
import type { RichNode } from '#wire/richText'

/** The text of a node. */
export const textOf = (node: RichNode): string =>
  typeof node === 'string' ? node : node.name === 'br' ? ' ' : node.children.map(textOf).join('')

/** Its headings, in order. */
export const headingsOf = (nodes: readonly RichNode[]): RichNode[] =>
  nodes.flatMap((node) => {
    if (typeof node === 'string') return []
    return /^h[1-6]$/.test(node.name) && textOf(node).trim() ? [node] : headingsOf(node.children)
  })

/** Words that somebody reads in a minute, and letters in languages that write without spaces. */
const [WORDS, LETTERS] = [180, 400]

/** How many minutes the text takes to read. */
export function readingMinutes(nodes: readonly RichNode[]): number {
  const text = nodes.map((node) => `${textOf(node)} `).join('')
  const words = text.split(/\s+/).filter(Boolean)
  const dense = words.join('').replace(/[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu, '')
  return words.length / WORDS + dense.length / LETTERS
}
