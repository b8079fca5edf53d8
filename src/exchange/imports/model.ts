/** Imports and exports of instruments on the wire (docs/imports.md, "From other tools"). */
import { described, list, maybe, oneOf, shape, text } from '#wire/words'

/** The tools whose files are read and written. */
export const sources = ['redcap', 'xlsform', 'odm'] as const
export type Source = (typeof sources)[number]

const source = oneOf(...sources)

/** What `importData` holds: for creationType=importFromExternalTool a file, for stageLibrary a questionnaire. */
export const ImportData = shape({
  source: maybe(described('The tool that the file is from.', source)),
  fileName: maybe(described('The stored name of an upload for the trial.', text(1, 200))),
  content: maybe(
    described(
      'Or the file itself: text for redcap and odm, base64 for xlsform and for a REDCap instrument archive.',
      text(1, 15 << 20),
    ),
  ),
  questionnaireId: maybe(described('For creationType=stageLibrary, and then alone.', text(1, 100))),
})

export const Warnings = list(shape({ field: text(0, 200), problem: text(0, 1000) }))

export const structureFormat = () =>
  described('REDCap data dictionary (csv), XLSForm (xlsx), or CDISC ODM 1.3 (xml).', source)

export const StructureFile = shape({
  url: described('Gives the file for an hour.', text(1, 5000)),
  warnings: described(
    'What other tools will not find in the file; importing it here brings everything back.',
    Warnings,
  ),
})
