import type { Snapshot } from './model'

const open = (question: unknown): unknown => {
  if (typeof question !== 'object' || question === null) return question
  return Object.fromEntries(
    Object.entries(question).filter(([field]) => field !== 'correct' && field !== 'explanation'),
  )
}

/** A snapshot without the right answers of the quizzes in consent forms, which their explanations tell, too. */
export const withoutAnswers = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  consentForms: snapshot.consentForms.map((form) =>
    Array.isArray(form.quiz) ? { ...form, quiz: form.quiz.map(open) } : form,
  ),
})
