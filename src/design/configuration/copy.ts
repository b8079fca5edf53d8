/** Copies of stages, in their own trial or from another. */

import { codeFrom } from '#design/dataTypes/rules'
import type { DataTypeRow } from '#design/dataTypes/store'
import type { StageInput } from '#design/stages/model'
import type { StageRow } from '#design/stages/store'
import type { Asked } from '#http/operation'
import type { Id } from '#kernel/id'
import { isSame } from '#kernel/json'
import type { Configuration } from './configuration'

/** What a copy is made of: the stage's fields, and the data types it needs that its trial has not got. */
export type Copy = { fields: Omit<StageInput, 'index'>; dataTypes: DataTypeRow[] }

/** Where the copy goes. */
type Target = Pick<Asked, 'id' | 'now'> & { trial: { _id: Id }; into: Configuration }

/** The copy of a stage for another place in its own trial: it asks the same data types. */
export function copyWithin({ _id, createdAt, trial, index, ...fields }: StageRow): Copy {
  return { fields, dataTypes: [] }
}

/**
 * The copy of another trial's stage. A data type that the trial has already, the same in everything, is used; any other
 * comes along, with a code of its own where its code is taken. What refers to the other trial's sites, groups, stages,
 * anchors and files is left behind.
 */
export function copyAcross(target: Target, source: StageRow, from: Configuration): Copy {
  const { fields } = copyWithin(source)
  const wanted = source.components.flatMap(({ dataType }) => from.dataTypes.get(dataType ?? '') ?? [])
  let twins = twinsFor(target, wanted, true)
  // A calculation that is there already computes from the fields there, not from copies under other codes.
  if (wanted.some(({ _id, code }) => twins.get(_id)!.code !== code)) twins = twinsFor(target, wanted, false)
  const codes = new Map(wanted.map(({ _id, code }) => [code.toLowerCase(), twins.get(_id)!.code]))
  const known = target.into.dataTypes
  const dataTypes = [...twins.values()].filter(({ _id }) => !known.has(_id))
  return {
    fields: {
      ...fields,
      components: source.components.map(({ video: _, dataType, condition, ...component }) => ({
        ...component,
        ...(dataType ? { dataType: twins.get(dataType)!._id } : {}),
        ...(condition ? { condition: { ...condition, dataType: twins.get(condition.dataType)!._id } } : {}),
      })),
      availableToSites: null,
      availableToGroups: null,
      enableAfter: null,
      isAnchored: false,
      anchorSchedule: null,
    },
    dataTypes: dataTypes.map((dataType) =>
      dataType.expression ? { ...dataType, expression: renamed(dataType.expression, codes) } : dataType,
    ),
  }
}

/** For each data type, by `_id`, the one that stands for it in the trial: there already, or new. */
function twinsFor(target: Target, wanted: DataTypeRow[], shareCalculations: boolean): Map<Id, DataTypeRow> {
  const byCode = new Map([...target.into.dataTypes.values()].map((own) => [own.code.toLowerCase(), own]))
  const twins = new Map<Id, DataTypeRow>()
  for (const dataType of wanted) {
    const key = { _id: target.id(), createdAt: target.now, trial: target.trial._id }
    const own = byCode.get(dataType.code.toLowerCase())
    const shares = own && (shareCalculations || own.format !== 'calculation') && isTwin(own, dataType)
    const taken = (code: string) => byCode.has(code)
    const twin = shares ? own : { ...dataType, ...key, code: own ? codeFrom(dataType.code, taken) : dataType.code }
    byCode.set(twin.code.toLowerCase(), twin)
    twins.set(dataType._id, twin)
  }
  return twins
}

const isTwin = (own: DataTypeRow, other: DataTypeRow): boolean => {
  const { _id, createdAt, trial } = own
  return isSame(own, { ...other, _id, createdAt, trial })
}

// Texts stay as they are, and so do functions and the parts after a point.
const NAMES = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(?<![\w.]|\.\s+)[A-Za-z_]\w*\b(?!\s*\()/g

/** An expression with the codes in it replaced. @param codes new ones by the old in lower case */
export const renamed = (expression: string, codes: ReadonlyMap<string, string>): string =>
  expression.replace(NAMES, (name) => codes.get(name.toLowerCase()) ?? name)
