import type { AnswerTexts } from '#texts/answers/en'
import type { EntryProblem } from '#web/form/answers/model'
import { problemSentence } from './problems'
import type { ValueFormatter } from './valueFormatter'

type Props = Pick<EntryProblem, 'fields'> & { texts: AnswerTexts; formatValue: ValueFormatter }

/** What the server says is wrong with single answers. */
export const Faults = ({ fields, texts, formatValue }: Props) => (
  <ul class="refusals">
    {Object.entries(fields).map(([dataType, problem]) => (
      <li key={dataType}>
        <bdi>{problemSentence(problem, texts, formatValue)}</bdi>
      </li>
    ))}
  </ul>
)
