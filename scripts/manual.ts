/**
 * Writes the generated parts of the manual: `bun scripts/manual.ts`. Generated pages say so in their first line; in other pages
 * the text between `<!-- generated: x -->` and `<!-- end -->` is replaced. A test checks that they are current.
 */
import { join } from 'node:path'
import { commandPages } from './manual/commands'
import { metricsTable } from './manual/metrics'
import { operationPages } from './manual/operations'
import { fieldTables, keyTable, templateTable } from './manual/permissions'
import { refusalPages } from './manual/refusals'

const folder = join(import.meta.dir, '..', 'docs')

const blocks: Record<string, () => string> = {
  keys: keyTable,
  templates: templateTable,
  fields: fieldTables,
  metrics: metricsTable,
}

/** The text with the parts between its marks generated again. */
export const fillGenerated = (text: string): string =>
  text.replace(
    /(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => `${start}\n${blocks[name]!()}\n\n${end}`,
  )

/** The pages that are generated completely, by file name. */
export const generatedPages = (): Record<string, string> => ({
  ...commandPages(),
  ...refusalPages(),
  ...operationPages(),
})

if (import.meta.main) {
  for (const [name, text] of Object.entries(generatedPages())) await Bun.write(join(folder, name), text)
  for (const name of new Bun.Glob('*.md').scanSync(folder)) {
    const path = join(folder, name)
    const text = await Bun.file(path).text()
    if (fillGenerated(text) !== text) await Bun.write(path, fillGenerated(text))
  }
}
