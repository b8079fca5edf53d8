/** The built-in questionnaires on the wire, and as the files of `data/questionnaires` hold them. */

import type { DataTypeInput } from '#design/dataTypes/model'
import type { Component } from '#design/stages/components'
import {
  flag,
  list,
  number,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

const code = text(1, 32)

const Score = shape('QuestionnaireScore', {
  code: withDescription('The code of the calculation that computes it.', code),
  name: oneLine(1, 200),
  min: orNull(number()),
  max: orNull(number()),
  higherIs: orNull(oneOf('better', 'worse')),
})

const Band = shape('ScoreBand', {
  score: withDescription('The code of the score.', code),
  from: number(),
  to: number(),
  label: text(1, 300),
})

/** What the list shows about a questionnaire; null for what it does not have. */
const about = {
  id: oneLine(1, 100),
  name: oneLine(1, 200),
  abbreviation: text(1, 50),
  description: text(1, 2000),
  source: withDescription('Where it was published.', text(1, 2000)),
  licence: withDescription('The terms under which it may be used.', text(1, 2000)),
  nonCommercial: withDescription('Whether its terms allow non-commercial use only.', flag()),
  language: text(2, 10),
  completedBy: oneOf('participant', 'staff'),
  recallPeriod: orNull(text(1, 100)),
  minutes: orNull(whole(1)),
  scoring: withDescription('How its scores are computed.', orNull(text(1, 2000))),
  stageScore: withDescription("The score that the stage's own score equals.", orNull(code)),
  scores: list(Score),
  interpretation: withDescription('For the study team. Participants do not see it.', list(Band)),
}

const QuestionnaireAbout = shape('QuestionnaireAbout', about)

const ListedQuestionnaire = shape('Questionnaire', {
  ...about,
  questions: withDescription('How many questions it asks.', whole(1)),
})

export const Questionnaires = shape('Questionnaires', { questionnaires: list(ListedQuestionnaire) })

/** A questionnaire as in its file. Components and conditions refer to data types by code instead of `_id`. */
export type Questionnaire = ValueOf<typeof QuestionnaireAbout> & {
  dataTypes: (DataTypeInput & { code: string })[]
  stage: { name: string; description: string; adHoc?: boolean; components: Component[] }
}
