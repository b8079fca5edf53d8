/** The README of a package: what it is, of which moment, with which filters, and how to open it (pure). */
import { type Instant, instantText } from '#kernel/time'
import type { PackagedDataset, PackageFormat } from './formats'

/** What the README says of the study and of the request. */
export type PackageAbout = {
  study: { _id: string; name: string; code: string }
  /** The moment of the data. */
  at: Instant
  /** Who asked for it. */
  email: string
  /** Of Trialbox. */
  version: string
  /** What was asked for, by the names of the parameters. */
  asked: Readonly<Record<string, unknown>>
}

const line = (name: string, value: unknown) =>
  `${name.padEnd(12)} ${Array.isArray(value) ? value.join(', ') : String(value)}`

/** @param hashes the SHA-256 of each file by name */
export function readmeText(
  { study, at, email, version, asked }: PackageAbout,
  { program, howTo }: Pick<PackageFormat, 'program' | 'howTo'>,
  datasets: readonly PackagedDataset[],
  hashes: ReadonlyMap<string, string>,
): string {
  const filters = Object.entries(asked).filter(([, value]) => value !== undefined)
  const notes = datasets.flatMap(({ file, written }) =>
    written.notes.map(({ variable, text }) => `${[file, variable].filter(Boolean).join(', ')}: ${text}`),
  )
  const lines = [
    `${study.name}: data for ${program}`,
    '',
    line('study', `${study.code} (${study._id})`),
    line('data of', `${instantText(at)} (UTC)`),
    line('for', email),
    line('made by', `Trialbox ${version}`),
    '',
    'WHAT WAS ASKED FOR',
    '',
    ...(filters.length ? filters.map(([name, value]) => line(name, value)) : ['Everything that this reader may see.']),
    '',
    'Archived participants are left out, and so are the answers that this reader may not see, and contact details.',
    '',
    'HOW TO OPEN IT',
    '',
    howTo,
    'codebook.html shows what each variable means, in any browser; codebook.xlsx has the same as a workbook.',
    'To check that nothing was changed: trialbox verify-record on the zip, or sha256sum -c MANIFEST in the unpacked folder.',
    '',
    'FILES',
    '',
    ...datasets.map(({ file, dataset, written }) => `${file}: ${dataset.label}, ${written.rows} rows`),
    '',
    'SHA-256',
    '',
    ...[...hashes].map(([name, hash]) => `${hash}  ${name}`),
    '',
    `WHAT ${program.toUpperCase()} COULD NOT HOLD AS IT IS`,
    '',
    ...(notes.length ? notes : ['Nothing.']),
  ]
  return lines.map((each) => `${each}\n`).join('')
}
