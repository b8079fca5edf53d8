/** A stage made from a built-in questionnaire (docs/imports.md, "Built-in questionnaires"). */

import type { Configuration } from '#design/configuration/configuration'
import type { StageCopy } from '#design/configuration/stageCopy'
import { renameCodes } from '#design/dataTypes/expressions'
import { dataTypeFromInput } from '#design/dataTypes/merge'
import { codeFrom } from '#design/dataTypes/rules'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import type { Questionnaire } from './model'

/** Where the stage goes. */
type StageTarget = Pick<RequestContext, 'id' | 'now'> & { trial: { _id: Id }; targetConfiguration: Configuration }

/**
 * The stage and the data types of a questionnaire. Each use gets new data types, so that staff can change one stage without
 * the other. If the trial has a code already, the new code ends in a number, also in the expressions that name it.
 */
export function stageFromQuestionnaire(
  { id, now, trial, targetConfiguration }: StageTarget,
  { stage, dataTypes }: Questionnaire,
): StageCopy {
  const takenCodes = new Set([...targetConfiguration.dataTypes.values()].map(({ code }) => code.toLowerCase()))
  const codes = new Map<string, string>()
  for (const { code } of dataTypes) {
    const newCode = codeFrom(code, (other) => takenCodes.has(other))
    takenCodes.add(newCode)
    codes.set(code, newCode)
  }
  const ids = new Map(dataTypes.map(({ code }) => [code, id()]))
  const rows = dataTypes.map(({ code, ...input }) => {
    const key = { _id: ids.get(code)!, createdAt: now, trial: trial._id, code: codes.get(code)! }
    return dataTypeFromInput(
      key,
      input.expression ? { ...input, expression: renameCodes(input.expression, codes) } : input,
    )
  })
  const components = stage.components.map(({ dataType, condition, ...component }) => ({
    ...component,
    ...(dataType ? { dataType: ids.get(dataType)! } : {}),
    ...(condition ? { condition: { ...condition, dataType: ids.get(condition.dataType)! } } : {}),
  }))
  return { fields: { ...stage, components }, dataTypes: rows }
}

/** How many questions a questionnaire has. Each statement of a Likert counts; calculations do not. */
export const questionsOf = ({ dataTypes }: Questionnaire): number =>
  dataTypes.reduce(
    (sum, { format, statements }) =>
      sum + (format === 'calculation' ? 0 : format === 'likert' ? statements!.length : 1),
    0,
  )
