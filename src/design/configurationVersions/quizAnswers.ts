import type { Snapshot } from './model'

const withoutSolution = (question: unknown): unknown => {
  if (typeof question !== 'object' || question === null) return question
  return Object.fromEntries(
    Object.entries(question).filter(([field]) => field !== 'correct' && field !== 'explanation'),
  )
}

/** A snapshot without the right answers of the quizzes in consent forms, and without their explanations, which reveal them. */
export const withoutAnswers = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  consentForms: snapshot.consentForms.map((form) =>
    Array.isArray(form.quiz) ? { ...form, quiz: form.quiz.map(withoutSolution) } : form,
  ),
})
