/** What the consent pages ask the server, and what it answers. */

import type { AnswerOf } from '#web/kit/api/operations'
import { type Answer, ask, type FailedAnswer } from '#web/kit/api/send'
import { noteLanguages } from '#web/kit/language/studyText'
import type { Translator } from './texts'

export type Method = Sheet['verificationMethods'][number]
export type SignatureMethod = Sheet['signatureMethods'][number]

export type Condition = Sheet['conditions'][number]

export type Sheet = AnswerOf<'readConsentSheet'>

export type Verification = Session['verifications'][number]

export type Receipt = AnswerOf<'giveConsent'>

export type Session = AnswerOf<'readConsentSession'>

export type { FailedAnswer }
export type QuizResult = AnswerOf<'answerConsentQuiz'>
export type CodeCheck = AnswerOf<'checkConsentCode'>

/** What somebody who withdraws may choose for their data. */
export type DataChoice = Withdrawals['choices'][number]
export type Withdrawals = AnswerOf<'readConsentWithdrawal'>
export type WithdrawableConsent = Withdrawals['consents'][number]

/** The study and the form of a link, as the parts of a path. */
export const linkPath = (): string => `/consent/${location.pathname.split('/').slice(3, 5).join('/')}`

/** Milliseconds without an answer, after which the connection counts as lost. */
const NO_ANSWER = 60_000

/** A sheet is in one language: that of the trial. */
export const noteSheetLanguage = ({ language }: Pick<Sheet, 'language'>): void =>
  noteLanguages({ language, source: language, untranslated: [] })

/** Reads the form of a link. */
export async function readSheet(translator: Translator): Promise<Answer<Sheet>> {
  const answer = await ask<Sheet>(translator, 'GET', linkPath())
  if (answer.isDone) noteSheetLanguage(answer.body)
  return answer
}

/** The requests of a session. @param path `/consent-sessions/<token>` or `/consent-withdrawals/<token>` */
export function requests(translator: Translator, path: string) {
  const send = <T>(method: 'GET' | 'POST', part: string, body?: unknown): Promise<Answer<T>> =>
    ask<T>(translator, method, path + part, { body, signal: AbortSignal.timeout(NO_ANSWER) })
  return {
    async read(): Promise<Answer<Session>> {
      const answer = await send<Session>('GET', '')
      if (answer.isDone) noteSheetLanguage(answer.body.sheet)
      return answer
    },
    sendCode: (method: Method, address: string) =>
      send<Pick<Verification, 'address'>>('POST', '/verifications', { method, address }),
    checkCode: (method: Method, code: string) => send<CodeCheck>('POST', '/verifications/codes', { method, code }),
    answerQuiz: (answers: readonly number[]) => send<QuizResult>('POST', '/quiz', { answers }),
    askPhoto: (body: { name: string; size: number; type: string }) =>
      send<AnswerOf<'requestConsentPhoto'>>('POST', '/photo', body),
    sign: (body: unknown) => send<Receipt>('POST', '/consent', body),
  }
}
export type Requests = ReturnType<typeof requests>

/** Why a request was refused, by the code that the server gives it. */
export const codeOf = ({ details: { code } }: FailedAnswer): string | undefined =>
  typeof code === 'string' ? code : undefined

const SENTENCES = {
  closed: 'consent.closed',
  databaseLocked: 'consent.locked',
  eConsentOff: 'consent.disabled',
  formDiffers: 'consent.formDiffers',
  givenAlready: 'consent.givenAlready',
  stepsLeft: 'consent.missing',
  tooManyEntries: 'consent.tooManyEntries',
} as const

const isKnown = (code: string | undefined): code is keyof typeof SENTENCES =>
  code !== undefined && Object.hasOwn(SENTENCES, code)

/** What to do about a request that did not come through: in the words of the page where it has some. */
export function failureText({ t }: Translator, failure: FailedAnswer): string {
  const code = codeOf(failure)
  if (failure.status === 429) return t('consent.busy')
  if (!failure.isRefusal) return t('consent.noConnection')
  return isKnown(code) ? t(SENTENCES[code]) : failure.message
}
