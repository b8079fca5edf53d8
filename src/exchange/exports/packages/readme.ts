/** The README of a package: what it is, of which moment, with which filters, and how to open it (pure). */
import { type Instant, instantText } from '#kernel/time'
import type { DatasetFile, PackageFormat } from './formats'

/** What the README says of the study and of the request. */
export type PackageDescription = {
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
  about: PackageDescription,
  { program, howTo }: Pick<PackageFormat, 'program' | 'howTo'>,
  datasets: readonly DatasetFile[],
  hashes: ReadonlyMap<string, string>,
): string {
  const notes = datasets.flatMap(({ file, result }) =>
    result.notes.map(({ variable, text }) => `${[file, variable].filter(Boolean).join(', ')}: ${text}`),
  )
  return packageReadme(about, {
    title: `data for ${program}`,
    howTo: [
      howTo,
      'codebook.html shows what each variable means, in any browser; codebook.xlsx has the same as a workbook.',
    ],
    files: datasets.map(({ file, dataset, result }) => `${file}: ${dataset.label}, ${result.rows} rows`),
    hashes,
    notes: ['', `WHAT ${program.toUpperCase()} COULD NOT HOLD AS IT IS`, '', ...(notes.length ? notes : ['Nothing.'])],
  })
}

type Readme = {
  title: string
  howTo: readonly string[]
  files: Iterable<string>
  hashes: ReadonlyMap<string, string>
  notes?: readonly string[]
}

/** The README of any signed zip of an export. @param hashes the SHA-256 of each file by name */
export function packageReadme(
  { study, at, email, version, asked }: PackageDescription,
  { title, howTo, files, hashes, notes = [] }: Readme,
): string {
  const filters = Object.entries(asked).filter(([, value]) => value !== undefined)
  const lines = [
    `${study.name}: ${title}`,
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
    ...howTo,
    'To check that nothing was changed: trialbox verify-record on the zip, or sha256sum -c MANIFEST in the unpacked folder.',
    '',
    'FILES',
    '',
    ...files,
    '',
    'SHA-256',
    '',
    ...[...hashes].map(([name, hash]) => `${hash}  ${name}`),
    ...notes,
  ]
  return lines.map((each) => `${each}\n`).join('')
}
