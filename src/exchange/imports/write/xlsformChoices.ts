/** The lists of choices of an XLSForm. */
import type { DataTypeSettings } from '#design/dataTypes/model'
import type { PlannedComponent } from '#design/stages/importPlan'
import { codesOf, uniqueHeaders } from '#exchange/exports/datasets/columns'
import type { typesOf } from '#exchange/imports/common/extras'
import { typeOf, unique } from './answers'
import { translated, validText } from './xlsformCells'
import type { Row } from './xlsformSheets'

/** The names of the choices: the codes. Where several can be chosen, spaces separate them, so that no name has one. */
function choiceNamesOf({ options, multiple }: DataTypeSettings): string[] {
  const free = uniqueHeaders()
  return codesOf(options).map((code) => (multiple ? free(code.replace(/\s+/g, '_')) : code))
}

type Choice = { name: string; label: string; own: object | undefined }

/** Writes lists to the rows of a sheet, equal ones once. */
export function choiceLists(rows: Row[]) {
  const lists = new Map<string, string>()
  const listName = unique((wanted) => wanted)

  /** The name of the list with these choices. */
  function list(wanted: string, choices: readonly Choice[]): string {
    const key = JSON.stringify(choices)
    const known = lists.get(key)
    if (known !== undefined) return known
    const found = listName(wanted.replace(/\W+/g, '_'))
    lists.set(key, found)
    for (const { name, label, own } of choices)
      rows.push({ list_name: found, name, label: validText(label), ...translated('label', own, 'label') })
    return found
  }
  return {
    ofOptions: (question: string, settings: DataTypeSettings): string => {
      const options = settings.options!
      const choices = choiceNamesOf(settings).map((name, at) => ({ name, label: options[at]!.label, own: options[at] }))
      return list(question, choices)
    },
    ofScale: (question: string, scale: NonNullable<DataTypeSettings['scale']>): string =>
      list(
        question,
        scale.map((own) => ({ name: String(own.value), label: own.label || String(own.value), own })),
      ),
  }
}

/** The names of the choices by the codes of the options, for a question of which several can be chosen; undefined for any other. */
export function choiceNamesByCode(
  component: PlannedComponent,
  types: ReturnType<typeof typesOf>,
): ReadonlyMap<string, string> | undefined {
  const type = typeOf(types, component)
  if (!type?.multiple) return undefined
  const found = choiceNamesOf(type)
  return new Map(codesOf(type.options).map((code, at) => [code, found[at]!]))
}
