/** Copies of stages, in their own trial or from another. */

import { renameCodes } from '#design/dataTypes/expressions'
import { codeFrom } from '#design/dataTypes/rules'
import type { DataTypeRow } from '#design/dataTypes/store'
import { withRenamedCodes } from '#design/stages/components'
import type { StageInput } from '#design/stages/model'
import type { StageRow } from '#design/stages/store'
import { keepLanguages } from '#design/translations/rules'
import { dataTypeTexts, stageTexts } from '#design/translations/textKinds'
import { languagesOf } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { isSame } from '#kernel/json'
import type { Configuration } from './configuration'

/** A copy that is not stored yet: the stage's fields, and the new data types that the target trial needs for it. */
export type StageCopy = {
  fields: Omit<StageInput, 'index'> & Pick<StageRow, 'translatedFrom'>
  dataTypes: DataTypeRow[]
}

/** Where the copy goes. */
type CopyTarget = Pick<RequestContext, 'db' | 'id' | 'now'> & { trial: { _id: Id }; targetConfiguration: Configuration }

/** The copy of a stage within its own trial. It uses the same data types. */
export function copyWithin({ _id, createdAt, trial, index, ...fields }: StageRow): StageCopy {
  return { fields, dataTypes: [] }
}

/**
 * The copy of a stage from another trial. If the target trial has an identical data type already, the copy uses it; all
 * others are copied too, under a new code if theirs is taken. The copy drops all references to sites, groups, stages,
 * anchors and files of the source trial, and translations into languages that the target trial does not have.
 */
export function copyAcross(target: CopyTarget, source: StageRow, from: Configuration): StageCopy {
  const [, ...languages] = languagesOf(target.db, target.trial._id)
  const { fields } = copyWithin(keepLanguages(source, stageTexts, languages))
  const sourceTypes = source.components
    .flatMap(({ dataType }) => from.dataTypes.get(dataType ?? '') ?? [])
    .map((each) => keepLanguages(each, dataTypeTexts, languages))
  let counterparts = counterpartsFor(target, sourceTypes, true)
  // An existing calculation computes from the target trial's own fields, not from copies under other codes.
  if (sourceTypes.some(({ _id, code }) => counterparts.get(_id)!.code !== code))
    counterparts = counterpartsFor(target, sourceTypes, false)
  const codes = new Map(sourceTypes.map(({ _id, code }) => [code.toLowerCase(), counterparts.get(_id)!.code]))
  const existing = target.targetConfiguration.dataTypes
  const dataTypes = [...counterparts.values()].filter(({ _id }) => !existing.has(_id))
  return {
    fields: {
      ...fields,
      components: fields.components!.map(({ video: _, dataType, condition, ...component }) => ({
        ...withRenamedCodes(component, codes),
        ...(dataType ? { dataType: counterparts.get(dataType)!._id } : {}),
        ...(condition ? { condition: { ...condition, dataType: counterparts.get(condition.dataType)!._id } } : {}),
      })),
      availableToSites: null,
      availableToGroups: null,
      enableAfter: null,
      isAnchored: false,
      anchorSchedule: null,
    },
    dataTypes: dataTypes.map((dataType) =>
      dataType.expression ? { ...dataType, expression: renameCodes(dataType.expression, codes) } : dataType,
    ),
  }
}

/** For each data type, by `_id`, its counterpart in the target trial: an existing one or a new copy. */
function counterpartsFor(
  target: CopyTarget,
  sourceTypes: DataTypeRow[],
  shareCalculations: boolean,
): Map<Id, DataTypeRow> {
  const existing = new Map(
    [...target.targetConfiguration.dataTypes.values()].map((ownType) => [ownType.code.toLowerCase(), ownType]),
  )
  const takenCodes = new Set(existing.keys())
  const counterparts = new Map<Id, DataTypeRow>()
  for (const dataType of sourceTypes) {
    const key = { _id: target.id(), createdAt: target.now, trial: target.trial._id }
    const code = dataType.code.toLowerCase()
    const ownType = existing.get(code)
    const isShared =
      ownType && (shareCalculations || ownType.format !== 'calculation') && isIdentical(ownType, dataType)
    const freeCode = takenCodes.has(code) ? codeFrom(dataType.code, (other) => takenCodes.has(other)) : dataType.code
    const counterpart = isShared ? ownType : { ...dataType, ...key, code: freeCode }
    takenCodes.add(counterpart.code.toLowerCase())
    counterparts.set(dataType._id, counterpart)
  }
  return counterparts
}

const isIdentical = (ownType: DataTypeRow, other: DataTypeRow): boolean => {
  const { _id, createdAt, trial } = ownType
  const bare = (dataType: DataTypeRow) => ({ ...keepLanguages(dataType, dataTypeTexts, []), translatedFrom: null })
  return isSame(bare(ownType), bare({ ...other, _id, createdAt, trial }))
}
