/** The form as it was when a response was entered (docs/forms.md, "Corrections"). */
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import type { Amendment } from '#design/forms/requiredFields'
import type { Id } from '#kernel/id'
import { firstLayoutOf, layoutById, type ResponseRow } from './store'

/** The fields that the form of a response had when it was entered. */
function originalFields(db: Db, { _id, layout }: ResponseRow) {
  return layoutById(db, firstLayoutOf(db, _id) ?? layout).positions
}

/** What the rules of required fields need to know of a response. It is read only if a required field is blank. */
export function amendmentOf(db: Db, response: ResponseRow): Amendment {
  let first: ReturnType<typeof originalFields> | undefined
  return { isAddedLater: (dataType) => !(first ??= originalFields(db, response)).has(dataType) }
}

/** The fields of a form that were not in it when the response was entered. */
export function addedFields(db: Db, config: Configuration, response: ResponseRow): Id[] {
  const first = originalFields(db, response)
  return config.fieldsOf(response.stage).filter((dataType) => !first.has(dataType))
}
