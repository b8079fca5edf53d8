/** Saved exports (docs/exports.md, "Saved exports"). */
import { ExportSettings } from '#exchange/exports/model'
import { id, instant, joinShapes, list, oneLine, shape, type ValueOf, withDescription } from '#wire/schema'

export const ExportDefinitionInput = shape('ExportDefinitionInput', {
  name: withDescription('No two in a trial may differ only in capitals.', oneLine(1, 200)),
  settings: withDescription(
    'What the query of an export says, without the type. An update replaces all of it.',
    ExportSettings,
  ),
})

export const ExportDefinition = joinShapes(
  'ExportDefinition',
  shape({ _id: id(), createdAt: instant(), updatedAt: instant(), createdBy: id(), trial: id() }),
  ExportDefinitionInput,
)
export type ExportDefinition = ValueOf<typeof ExportDefinition>

export const ExportDefinitions = shape('ExportDefinitions', { exportDefinitions: list(ExportDefinition) })
