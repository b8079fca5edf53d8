/** Makes a tree of headings, and finds those that are stages. */
import { type Block, isStageName } from './blocks'

export type Section = { title: string; level: number; blocks: Block[]; sections: Section[] }

/** A part of the text that becomes a stage: its blocks, including inner headings. */
export type Part = { title: string; blocks: Block[] }
export type Outline = { title?: string; parts: Part[] }

function treeOf(blocks: readonly Block[]): Section {
  const root: Section = { title: '', level: 0, blocks: [], sections: [] }
  const path = [root]
  for (const block of blocks) {
    if (block.kind !== 'heading') {
      path.at(-1)!.blocks.push(block)
      continue
    }
    while (path.length > 1 && path.at(-1)!.level >= block.level) path.pop()
    const section: Section = { title: block.text, level: block.level, blocks: [], sections: [] }
    path.at(-1)!.sections.push(section)
    path.push(section)
  }
  return root
}

const hasQuestions = ({ blocks }: Section) => blocks.some(({ kind }) => kind === 'item' || kind === 'table')

/** The blocks of a section and of all its subsections, as one stage. */
const allBlocks = (section: Section): Block[] => [
  ...section.blocks,
  ...section.sections.flatMap((inner): Block[] => [
    { kind: 'heading', text: inner.title, level: inner.level },
    ...allBlocks(inner),
  ]),
]

function partsOf(section: Section): Part[] {
  const inner = section.sections
  const apart = inner.some(({ title }) => isStageName(title))
  if (!inner.length || (!apart && (hasQuestions(section) || isStageName(section.title)))) {
    return [{ title: section.title, blocks: allBlocks(section) }]
  }
  const own = section.blocks.length ? [{ title: section.title, blocks: section.blocks }] : []
  return [...own, ...inner.flatMap(partsOf)]
}

/** The parts that are stages, and the title: the only heading of the highest level. */
export function outlineOf(blocks: readonly Block[]): Outline {
  const root = treeOf(blocks)
  const [first, ...others] = root.sections
  const isTitle =
    first &&
    !isStageName(first.title) &&
    !hasQuestions(first) &&
    (others.length ? !first.sections.length && !first.blocks.length : first.sections.length > 0)
  const own = root.blocks.length ? [{ title: '', blocks: root.blocks }] : []
  if (!isTitle) return { parts: [...own, ...root.sections.flatMap(partsOf)] }
  const title = [{ title: '', blocks: first.blocks }].filter(({ blocks }) => blocks.length)
  return {
    title: first.title,
    parts: [...own, ...title, ...first.sections.flatMap(partsOf), ...others.flatMap(partsOf)],
  }
}
