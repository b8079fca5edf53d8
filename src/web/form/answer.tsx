/** An answer as it is read: no control, and nothing of a draft. */
import { localPath } from '#web/kit/api/localPath'
import { StudyText } from '#web/kit/ui/studyText'
import type { Settings } from './stage'
import { formatAnswer, type ValueFormatter } from './valueFormatter'

type Props = {
  settings: Settings
  value: unknown
  /** Of an uploaded file. */
  url?: string | undefined
  formatValue: ValueFormatter
  /** What stands for a statement that does not apply. */
  notApplicable: string
}

type Parts = Readonly<Record<string, unknown>>
const partsOf = (value: unknown): Parts => (typeof value === 'object' && value !== null ? (value as Parts) : {})
const isBlank = (value: unknown): boolean => value === null || value === undefined

/** The statements of a Likert, each with its point. */
function Statements({ settings, value, formatValue, notApplicable }: Props) {
  const answers = partsOf(value)
  const points = new Map((settings.scale ?? []).map((each) => [each.value, each.label]))
  return (
    <dl class="answer-pairs">
      {(settings.statements ?? [])
        .filter(({ key }) => Object.hasOwn(answers, key))
        .map(({ key, label }) => {
          const answer = answers[key] as string | number | null
          return (
            <div key={key}>
              <dt>
                <StudyText text={label} />
              </dt>
              <dd>
                {isBlank(answer) ? notApplicable : <StudyText text={points.get(answer!) || formatValue(answer)} />}
              </dd>
            </div>
          )
        })}
    </dl>
  )
}

/** The rows of a table, below each other. */
function Rows({ settings, value, formatValue, notApplicable }: Props) {
  const columns = settings.columns ?? []
  const rows: readonly Parts[] = Array.isArray(value) ? value.map(partsOf) : []
  return (
    <div class="answer-table">
      <table>
        <thead>
          <tr>
            {columns.map(({ id, label }) => (
              <th key={id} scope="col">
                <StudyText text={label} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // Rows have no names: where they stand is what they are.
            <tr key={at}>
              {columns.map((column) => (
                <td key={column.id}>
                  {!isBlank(row[column.id]) && (
                    <StudyText text={formatAnswer(column as Settings, row[column.id], formatValue, notApplicable)} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A value in the shape of its format, with its unit. */
export function AnswerView(props: Props) {
  const { settings, value, url, formatValue, notApplicable } = props
  const line = () => formatAnswer(settings, value, formatValue, notApplicable)
  switch (settings.format) {
    case 'likert':
      return <Statements {...props} />
    case 'table':
      return <Rows {...props} />
    case 'choice':
      if (!Array.isArray(value) || value.length < 2) return <StudyText text={line()} />
      return (
        <ul class="answer-list">
          {value.map((label) => (
            <li key={label}>
              <StudyText text={formatAnswer(settings, [label], formatValue, notApplicable)} />
            </li>
          ))}
        </ul>
      )
    case 'text':
    case 'paragraph':
      return <StudyText class="answer-text" text={line()} />
    case 'file':
    case 'image':
    case 'video':
      return url ? (
        <a class="answer-file" href={localPath(url)} target="_blank" rel="noreferrer noopener">
          <bdi>{line()}</bdi>
        </a>
      ) : (
        <bdi>{line()}</bdi>
      )
    default:
      return <bdi>{line()}</bdi>
  }
}
