/** The API's models for creating stages and for reading them as files. */
import { Stage, StageInput } from '#design/stages/model'
import { ImportData, type Source, StructureFile, sources, Warnings } from '#design/structures/model'
import {
  id,
  joinShapes,
  language,
  list,
  maybe,
  oneOf,
  partial,
  shape,
  type TSchema,
  text,
  type ValueOf,
  withDescription,
} from '#wire/schema'

/** The sources of a new stage that is neither empty nor a copy. */
export const creationTypes = ['stageLibrary', 'importFromExternalTool', 'generateFromAI'] as const

/**
 * The body of POST: the fields of a stage; or a stage to copy, a questionnaire or an instrument, and fields that
 * replace theirs.
 */
export const NewStage = joinShapes(
  'NewStage',
  partial(StageInput),
  shape({
    prompt: maybe(withDescription('For creationType=generateFromAI: a description of the stages.', text(1, 50_000))),
    importData: maybe(withDescription('The source of the stage, for the other values of creationType.', ImportData)),
    copyFrom: maybe(
      id(
        'The stage to copy. From another trial its data types are copied too; references to the sites, groups, stages, ' +
          'anchors and files of that trial are left out.',
      ),
    ),
  }),
)
export type NewStage = ValueOf<typeof NewStage>

/** The new stage; the first, if an import made several. */
export const CreatedStage = joinShapes(
  'CreatedStage',
  Stage,
  shape({
    stages: maybe(withDescription('All stages that an import created, in order.', list(id()))),
    warnings: maybe(withDescription('What was not imported, or only partly.', Warnings)),
  }),
)

/** What GET returns for each format. */
export const stageFiles = {
  pdf: StructureFile,
  docx: StructureFile,
  redcap: StructureFile,
  xlsform: StructureFile,
  odm: StructureFile,
} satisfies Record<'pdf' | 'docx' | Source, TSchema>

/** The query of GET, to return a link to a file. */
export const StageQuery = shape({
  format: maybe(
    withDescription(
      'A case report form (pdf, docx); or a REDCap data dictionary (csv), XLSForm (xlsx), or CDISC ODM 1.3 (xml).',
      oneOf('pdf', 'docx', ...sources),
    ),
  ),
  language: maybe(
    withDescription('One of the languages of the trial, for a blank form with format=pdf or docx.', language()),
  ),
  response: maybe(id('The response whose answers fill the form; with format=docx only.')),
})
