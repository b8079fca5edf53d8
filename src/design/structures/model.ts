/** The API's models of imports and exports of instruments (docs/imports.md, "From other tools"). */
import { list, maybe, oneOf, shape, text, withDescription } from '#wire/schema'

/** The tools whose files can be read and written. */
export const sources = ['redcap', 'xlsform', 'odm'] as const
export type Source = (typeof sources)[number]

const source = oneOf(...sources)

/** The field `importData`: a file for creationType=importFromExternalTool, a questionnaire for stageLibrary. */
export const ImportData = shape('ImportData', {
  source: maybe(withDescription('The tool that the file is from.', source)),
  fileName: maybe(withDescription('The stored name of an upload for the trial.', text(1, 200))),
  content: maybe(
    withDescription(
      'Or the file itself: text for redcap and odm, base64 for xlsform and for a REDCap instrument archive.',
      text(1, 15 << 20),
    ),
  ),
  questionnaireId: maybe(withDescription('For creationType=stageLibrary, and then alone.', text(1, 100))),
})

export const Warnings = list(shape('ImportWarning', { field: text(0, 200), problem: text(0, 1000) }))

export const structureFormat = () =>
  withDescription('REDCap data dictionary (csv), XLSForm (xlsx), or CDISC ODM 1.3 (xml).', source)

export const StructureFile = shape('StructureFile', {
  url: withDescription('A link to the file, for an hour.', text(1, 5000)),
  warnings: withDescription(
    'What other tools will not find in the file; importing it here brings everything back.',
    Warnings,
  ),
})
