import type { FunctionComponent } from 'preact'
import { cellPart } from '#web/form/faultyPart'
import { useFormContext } from '#web/form/formState'
import { hintOf } from '#web/form/hint'
import type { Settings } from '#web/form/stage'
import { useTranslator } from '#web/form/translator'
import { focusSoon, isGroup, type WidgetProps } from '#web/form/widget'
import { studyText } from '#web/kit/language/studyText'
import { Button } from '#web/kit/ui/components'

type Row = Readonly<Record<string, unknown>>

/** The rows of a table, each as a card: on a phone a table of columns could not be filled in. */
export function TableWidget({ cell: Cell, ...props }: WidgetProps & { cell: FunctionComponent<WidgetProps> }) {
  const { id, label, settings, value, change, isReadOnly, faultyPart, fault } = props
  const { t } = useTranslator()
  const { formatValue } = useFormContext()
  const rows: readonly Row[] = Array.isArray(value) ? value : []
  const columns = settings.columns ?? []
  const put = (next: readonly Row[]) => change(next.length ? next : null)
  const set = (at: number, column: string, cell: unknown) =>
    put(
      rows.map((row, n) => {
        if (n !== at) return row
        const { [column]: _, ...rest } = row
        return cell === null ? rest : { ...rest, [column]: cell }
      }),
    )
  /** The first cell of a row. */
  const rowStart = (at: number): string => `${id}${cellPart(at, columns[0]?.id ?? '')}`
  const isFull = settings.maxRows != null && rows.length >= settings.maxRows
  return (
    <div class="table-rows">
      {rows.map((row, at) => (
        // Rows have no names: where they stand is what they are.
        <fieldset class="row-card" key={at}>
          <legend>{t('form.row', { number: at + 1 })}</legend>
          {columns.map((column) => {
            const suffix = cellPart(at, column.id)
            const cell = `${id}${suffix}`
            const isFaulty = faultyPart?.suffix === suffix
            const hint = isReadOnly ? '' : hintOf(column as Settings, { t }, formatValue)
            const name = studyText(column.label)
            const group = isGroup(column as Settings)
              ? ({
                  role: 'group',
                  'aria-labelledby': `${cell}-name`,
                  'aria-describedby': hint ? `${cell}-hint` : undefined,
                } as const)
              : {}
            return (
              <div class={isFaulty ? 'cell faulty' : 'cell'} key={column.id} {...group}>
                {group.role ? (
                  <p class="label" id={`${cell}-name`} {...name}>
                    {column.label}
                  </p>
                ) : (
                  <label for={cell} {...name}>
                    {column.label}
                  </label>
                )}
                {hint && (
                  <p class="note" id={`${cell}-hint`}>
                    {hint}
                  </p>
                )}
                <Cell
                  {...props}
                  id={cell}
                  label={column.label}
                  settings={column as Settings}
                  value={row[column.id]}
                  change={(answer) => set(at, column.id, answer)}
                  isRequired={false}
                  isInvalid={isFaulty}
                  describedBy={
                    [hint && `${cell}-hint`, isFaulty && `${id}-fault`].filter(Boolean).join(' ') || undefined
                  }
                />
                {isFaulty && fault}
              </div>
            )
          })}
          {!isReadOnly && (
            <Button
              label={t('form.removeRowOf', { number: at + 1, question: label })}
              onPress={() => {
                put(rows.filter((_, n) => n !== at))
                focusSoon(rows.length > 1 ? rowStart(Math.min(at, rows.length - 2)) : id)
              }}
            >
              {t('form.removeRow')}
            </Button>
          )}
        </fieldset>
      ))}
      {!isReadOnly && (
        <Button
          id={rows.length ? undefined : id}
          isDisabled={isFull}
          onPress={() => {
            change([...rows, {}])
            focusSoon(rowStart(rows.length))
          }}
        >
          {t('form.addRow')}
        </Button>
      )}
    </div>
  )
}
