import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { shape } from '#wire/schema'
import { shareStructure, writeStructure } from './files'
import { StructureFile, structureFormat } from './model'

const exportStructure = operation({
  id: 'exportStructure',
  method: 'GET',
  path: '/trials/:trialId/structure',
  summary: 'Export the stages and data types of a trial for other tools',
  description:
    'All stages and their data types. What the format cannot hold is in notes in the file, which only an import into Trialbox reads.',
  scope: trial,
  needs: anywhere('trial.read'),
  logs: 'exportStructure',
  query: shape({ format: structureFormat() }),
  returns: StructureFile,
  prepare: (context) => writeStructure(context, context.query.format, null),
  run: (context) => {
    context.record({ event: { format: context.query.format } })
    return shareStructure(context, context.prepared, context.trial.code)
  },
})

export const structureOperations = [exportStructure] as const
