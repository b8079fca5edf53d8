/** The API's models for creating stages and for reading them as files. */
import { Stage, StageInput } from '#design/stages/model'
import { ImportData, type Source, StructureFile, sources, Warnings } from '#design/structures/model'
import * as t from '#wire/schema'

/** The sources of a new stage that is neither empty nor a copy. */
export const creationTypes = ['stageLibrary', 'importFromExternalTool', 'generateFromAI'] as const

/**
 * The body of POST: the fields of a stage; or a stage to copy, a questionnaire or an instrument, and fields that
 * replace theirs.
 */
export const NewStage = t.joinShapes(
  'NewStage',
  t.partial(StageInput),
  t.shape({
    prompt: t.maybe(
      t.withDescription('For creationType=generateFromAI: a description of the stages.', t.text(1, 50_000)),
    ),
    importData: t.maybe(
      t.withDescription('The source of the stage, for the other values of creationType.', ImportData),
    ),
    copyFrom: t.maybe(
      t.id(
        'The stage to copy. From another trial its data types are copied too; references to the sites, groups, stages, ' +
          'anchors and files of that trial are left out.',
      ),
    ),
  }),
)
export type NewStage = t.ValueOf<typeof NewStage>

/** The new stage; the first, if an import made several. */
export const CreatedStage = t.joinShapes(
  'CreatedStage',
  Stage,
  t.shape({
    stages: t.maybe(t.withDescription('All stages that an import created, in order.', t.list(t.id()))),
    warnings: t.maybe(t.withDescription('What was not imported, or only partly.', Warnings)),
  }),
)

/** What GET returns for each format. */
export const stageFiles = {
  pdf: StructureFile,
  docx: StructureFile,
  redcap: StructureFile,
  xlsform: StructureFile,
  odm: StructureFile,
} satisfies Record<'pdf' | 'docx' | Source, t.TSchema>

/** The query of GET, to return a link to a file. */
export const StageQuery = t.shape({
  format: t.maybe(
    t.withDescription(
      'A case report form (pdf, docx); or a REDCap data dictionary (csv), XLSForm (xlsx), or CDISC ODM 1.3 (xml).',
      t.oneOf('pdf', 'docx', ...sources),
    ),
  ),
  language: t.maybe(
    t.withDescription('One of the languages of the trial, for a blank form with format=pdf or docx.', t.language()),
  ),
  response: t.maybe(t.id('The response whose answers fill the form; with format=docx only.')),
})
