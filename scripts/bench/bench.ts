/**
 * The benchmark: `npm run bench -- [--only submissions,million,…] [--quick] [--rounds 5]` (docs/performance.md, "How to measure").
 * Figures differ between machines. Therefore each part runs by turns with its floor (the least code that does the same
 * work), and the ratio of the two counts. Prints Markdown tables; each figure is the median of the rounds, with the
 * minimum and maximum in brackets.
 */
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { serviceVersion } from '#kernel/version'
import { markdown, type Table } from './figures'
import { changes } from './parts/changes'
import { measureExports } from './parts/exports'
import { files } from './parts/files'
import { measureFormats } from './parts/formats'
import { lists } from './parts/lists'
import { million } from './parts/million'
import { pages } from './parts/pages'
import { measureStart } from './parts/start'
import { submissions } from './parts/submissions'
import { removeEverything, type Settings } from './run'

const parts: Record<string, (settings: Settings) => Promise<Table[]>> = {
  submissions,
  million,
  lists,
  pages,
  changes,
  exports: measureExports,
  formats: measureFormats,
  start: measureStart,
  files,
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, quick: { type: 'boolean', default: false }, rounds: { type: 'string' } },
})
const rounds = Number(values.rounds ?? (values.quick ? 1 : 5))
const chosen = values.only?.split(',') ?? Object.keys(parts)
const unknown = chosen.find((name) => !Object.hasOwn(parts, name))
if (unknown !== undefined || !Number.isInteger(rounds) || rounds < 1) {
  console.error(
    unknown === undefined ? '--rounds must be a whole number.' : `--only takes ${Object.keys(parts).join(', ')}.`,
  )
  process.exit(2)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    removeEverything()
    process.exit(1)
  })

const began = performance.now()
const elapsed = () => `${Math.round((performance.now() - began) / 1000)} s`
try {
  const tables: Table[] = []
  for (const name of chosen) {
    console.error(`${elapsed().padStart(6)}  ${name} …`)
    tables.push(...(await parts[name]!({ quick: values.quick, rounds })))
  }
  const [processor] = cpus()
  console.log(`Trialbox ${serviceVersion}, Bun ${Bun.version}, ${cpus().length} × ${processor?.model ?? 'processor'}, `)
  console.log(`${(totalmem() / 1024 ** 3).toFixed(0)} GB, ${process.platform}; rounds: ${rounds}; took ${elapsed()}.\n`)
  for (const table of tables) console.log(markdown(table))
} finally {
  removeEverything()
}
