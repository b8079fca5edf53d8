/** Writes a package: the datasets of an export in the format of a statistics program, with a codebook and a README, in one zip. */

import { rmSync } from 'node:fs'
import { type ArchiveWriter, openSignedArchive } from '#documents/archives/writer'
import { uniqueHeaders } from '#exchange/exports/datasets/columns'
import type { Keys } from '#kernel/keyring'
import { safeFileName } from '#storage/names'
import type { Cell, Sheet } from '#writers/cell'
import type { Dataset } from '#writers/dataset'
import { growthReporter, writeNew } from '#writers/file'
import { writeXlsx } from '#writers/xlsx'
import { codebookPage } from './codebookPage'
import type { DatasetFile, PackageFormat } from './formats'
import { type PackageDescription, readmeText } from './readme'

type PackageOptions = {
  about: PackageDescription
  /** The secret that the key of the signature follows from. */
  storageKey: Keys
  onGrowth?: ((bytes: number) => void) | undefined
}

/**
 * Writes the package to a new file, which is removed if that fails. Each dataset is written to a temporary file first: memory use does not grow
 * with the rows.
 */
export function writePackage(
  path: string,
  format: PackageFormat,
  datasets: readonly Dataset[],
  { about, storageKey, onGrowth }: PackageOptions,
): Promise<number> {
  return writeNew(path, async (output) => {
    // The first bytes come when the first dataset is written: the caller gets the link now.
    onGrowth?.(0)
    const reportGrowth = growthReporter(output, onGrowth)
    const parts = openSignedArchive(output, storageKey)
    const hashes = new Map<string, string>()
    const add = async (name: string, files: string) => {
      hashes.set(name, await parts.packed(name, files))
      reportGrowth()
    }
    const free = uniqueHeaders()
    const packaged: DatasetFile[] = []
    for (const [at, dataset] of datasets.entries()) {
      if (!dataset.variables.length) continue
      const file = `${free(fileNameOf(dataset))}.${format.extension}`
      const temporary = `${path}.${at}`
      await withTemporaryFile(temporary, async () => {
        const options = { created: about.at, product: `Trialbox ${about.version}` }
        const result = await format.write(temporary, dataset, options)
        packaged.push({ dataset, file, result })
        await add(file, temporary)
      })
    }
    for (const { name, text } of format.companions?.(packaged) ?? []) hashes.set(name, await parts.text(name, [text]))
    await addCodebook(path, parts, about, packaged, hashes)
    await parts.text('README.txt', [readmeText(about, format, packaged, hashes)])
    parts.end()
    return output.size()
  })
}

/** Characters by which SAS and Stata replace, or run, what follows, between quotation marks too. */
const MACROS = /[%&$`']/g

/** The name of a dataset's file, without the extension. It stands in programs. */
const fileNameOf = ({ name }: Dataset): string => safeFileName(name).replace(MACROS, '_')

/**
 * Adds codebook.html and codebook.xlsx, and their SHA-256 to `hashes`.
 * @param path a name beside which a temporary file may be
 */
export async function addCodebook(
  path: string,
  parts: ArchiveWriter,
  { study }: { study: { name: string } },
  packaged: readonly DatasetFile[],
  hashes: Map<string, string>,
): Promise<void> {
  hashes.set('codebook.html', await parts.text('codebook.html', codebookPage(study.name, packaged)))
  const workbook = `${path}.codebook`
  await withTemporaryFile(workbook, async () => {
    await writeXlsx(workbook, packaged.length ? packaged.map(codebookSheet) : [EMPTY])
    hashes.set('codebook.xlsx', await parts.packed('codebook.xlsx', workbook))
  })
}

const HEADERS = [
  ...['name', 'original name', 'label', 'kind', 'measure', 'decimals', 'unit', 'codes', 'missing', 'restricted'],
  ...['personal', 'notes'],
]
const EMPTY: Sheet = { name: 'Codebook', columns: HEADERS.map((header) => ({ header })), rows: [] }

/** A row for each variable. */
function codebookSheet({ dataset, result: { names, notes } }: DatasetFile): Sheet {
  const notesOf = Map.groupBy(notes, ({ variable }) => variable)
  const rows = dataset.variables.map((variable, place): Cell[] => {
    const { name, label, kind, measure, decimals, unit, values = [], isRestricted, isPersonal } = variable
    const codes = (isMissing: boolean) =>
      values.flatMap((each) => ((each.isMissing ?? false) === isMissing ? [`${each.value} = ${each.label}`] : []))
    return [
      ...[
        names[place] ?? name,
        name,
        label,
        kind,
        measure,
        decimals,
        unit,
        codes(false).join('\n'),
        codes(true).join('\n'),
      ],
      ...[isRestricted === true, isPersonal === true, (notesOf.get(name) ?? []).map(({ text }) => text).join('\n')],
    ]
  })
  return { ...EMPTY, name: dataset.name, rows }
}

/** Removes the file when the work with it ends, and before it one that a killed run has left. */
async function withTemporaryFile(path: string, work: () => Promise<void>): Promise<void> {
  rmSync(path, { force: true })
  try {
    await work()
  } finally {
    rmSync(path, { force: true })
  }
}
