/** The built-in questionnaires on the wire, and as the files of `data/questionnaires` hold them. */

import type { DataTypeInput } from '#design/dataTypes/model'
import type { Component } from '#design/stages/components'
import * as t from '#wire/schema'

const code = t.text(1, 32)

const Score = t.shape('QuestionnaireScore', {
  code: t.withDescription('The code of the calculation that computes it.', code),
  name: t.oneLine(1, 200),
  min: t.orNull(t.number()),
  max: t.orNull(t.number()),
  higherIs: t.orNull(t.oneOf('better', 'worse')),
})

const Band = t.shape('ScoreBand', {
  score: t.withDescription('The code of the score.', code),
  from: t.number(),
  to: t.number(),
  label: t.text(1, 300),
})

/** What the list shows about a questionnaire; null for what it does not have. */
const about = {
  id: t.oneLine(1, 100),
  name: t.oneLine(1, 200),
  abbreviation: t.text(1, 50),
  description: t.text(1, 2000),
  source: t.withDescription('Where it was published.', t.text(1, 2000)),
  licence: t.withDescription('The terms under which it may be used.', t.text(1, 2000)),
  nonCommercial: t.withDescription('Whether its terms allow non-commercial use only.', t.flag()),
  language: t.text(2, 10),
  completedBy: t.oneOf('participant', 'staff'),
  recallPeriod: t.orNull(t.text(1, 100)),
  minutes: t.orNull(t.whole(1)),
  scoring: t.withDescription('How its scores are computed.', t.orNull(t.text(1, 2000))),
  stageScore: t.withDescription("The score that the stage's own score equals.", t.orNull(code)),
  scores: t.list(Score),
  interpretation: t.withDescription('For the study team. Participants do not see it.', t.list(Band)),
}

const QuestionnaireAbout = t.shape('QuestionnaireAbout', about)

const ListedQuestionnaire = t.shape('Questionnaire', {
  ...about,
  questions: t.withDescription('How many questions it asks.', t.whole(1)),
})

export const Questionnaires = t.shape('Questionnaires', { questionnaires: t.list(ListedQuestionnaire) })

/** A questionnaire as in its file. Components and conditions refer to data types by code instead of `_id`. */
export type Questionnaire = t.ValueOf<typeof QuestionnaireAbout> & {
  dataTypes: (DataTypeInput & { code: string })[]
  stage: { name: string; description: string; adHoc?: boolean; components: Component[] }
}
