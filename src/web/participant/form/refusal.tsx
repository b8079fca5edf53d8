/** Why the study has not taken answers, in the language of the app. */
import { useEffect, useState } from 'preact/hooks'
import type { AnswerTexts } from '#texts/answers/en'
import type { EntryProblem } from '#web/form/answers/model'
import { textsFor } from '#web/form/fillTexts'
import { refusalNote } from '#web/form/problems'
import { createFormatter } from '#web/form/valueFormatter'
import { Notice } from '#web/kit/ui/components'
import { useTranslator } from '#web/participant/texts'
import { Faults } from '../../form/faults'

/** The refusal of an entry in the list of what is kept. */
export function Page({ problem, zone }: { problem: EntryProblem; zone: string }) {
  const translator = useTranslator()
  const [texts, setTexts] = useState<AnswerTexts>()
  useEffect(() => void textsFor(translator).then(setTexts), [translator])
  const { fields } = problem
  return (
    <Notice kind="fault" title={refusalNote(problem, translator)}>
      {texts && Object.keys(fields).length > 0 && (
        <Faults fields={fields} texts={texts} formatValue={createFormatter(translator.language, zone)} />
      )}
    </Notice>
  )
}
