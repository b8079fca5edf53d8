/** The formats of statistics programs: how a dataset becomes files of each. */
import type { StatisticsType } from '#exchange/exports/task'
import type { Progress } from '#writers/cell'
import type { Dataset, DatasetResult } from '#writers/dataset'
import { writeDta } from '#writers/dta/dta'
import type { StatisticsOptions } from '#writers/options'
import { writeParquet } from '#writers/parquet/parquet'
import { writePzfx } from '#writers/pzfx/pzfx'
import { writeRds } from '#writers/rds/rds'
import { rScript } from '#writers/rds/script'
import { writeSav } from '#writers/sav/sav'
import { sasProgram } from '#writers/xpt/program'
import { writeXpt, type XptResult } from '#writers/xpt/xpt'

/** A dataset in a package: how it was written, and the name of its file. */
export type DatasetFile = { dataset: Dataset; file: string; result: DatasetResult }

/** A text beside the data, such as a program that reads it. */
type CompanionFile = { name: string; text: string }

export type PackageFormat = {
  /** As people call it. */
  program: string
  extension: string
  /** How to open the files, in one or two sentences. */
  howTo: string
  /** Writes a dataset to a new file. */
  write(path: string, dataset: Dataset, options: StatisticsOptions, progress?: Progress): Promise<DatasetResult>
  /** Texts that belong to all the files. */
  companions?(datasets: readonly DatasetFile[]): CompanionFile[]
}

const isXpt = (written: DatasetResult): written is XptResult => 'dataset' in written

/** The transport files that the program reads. */
const sasFilesIn = (datasets: readonly DatasetFile[]) =>
  datasets.flatMap(({ dataset: { label }, file, result }) =>
    isXpt(result) ? [{ file, dataset: result.dataset, label, variables: result.variables }] : [],
  )

export const packageFormats = {
  spss: {
    program: 'SPSS',
    extension: 'sav',
    howTo: 'Open a .sav file in SPSS or PSPP with File > Open > Data, or in R with haven::read_sav("file.sav").',
    write: writeSav,
  },
  stata: {
    program: 'Stata',
    extension: 'dta',
    howTo: 'Open a .dta file in Stata 14 or later with: use "file.dta"',
    write: writeDta,
  },
  r: {
    program: 'R',
    extension: 'rds',
    howTo:
      'Unpack everything into one folder, and run read.R there: it reads the .rds files and shows how to use codes and labels. It needs no packages.',
    write: writeRds,
    companions: (datasets) => [
      {
        name: 'read.R',
        text: rScript(datasets.map(({ dataset: { name, label }, file }) => ({ file, name, label }))),
      },
    ],
  },
  sas: {
    program: 'SAS',
    extension: 'xpt',
    howTo: 'Unpack everything into one folder, set the folder in the second statement of read.sas, and run it.',
    write: writeXpt,
    companions: (datasets) => [{ name: 'read.sas', text: sasProgram(sasFilesIn(datasets)) }],
  },
  graphpad: {
    program: 'GraphPad Prism',
    extension: 'pzfx',
    howTo: 'Open a .pzfx file in GraphPad Prism with File > Open.',
    write: writePzfx,
  },
  parquet: {
    program: 'Parquet',
    extension: 'parquet',
    howTo: "Read a file with DuckDB (FROM 'file.parquet'), with pandas.read_parquet or with arrow::read_parquet.",
    write: writeParquet,
  },
} as const satisfies Record<StatisticsType, PackageFormat>
