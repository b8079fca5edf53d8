/** What the app reads of the API: the fields that its pages show. */

import type { ConsentNeeded } from '#web/form/stage'
import type { AnswerOf } from '#web/kit/api/operations'

export type { ConsentNeeded }

export type Me = AnswerOf<'readOwnParticipant'>

/** A form in the timeline, once for each time that it is due. */
export type TimelineEntry = Timeline['stages'][number]

export type Timeline = AnswerOf<'readOwnTimeline'>

export type Attachment = Message['attachments'][number]

export type Message = Omit<Thread['messages'][number], 'fileUrls'>

export type Thread = AnswerOf<'listOwnMessages'>

export type OwnEvent = AnswerOf<'listOwnEvents'>['participantEvents'][number]

export type OwnMeeting = AnswerOf<'listOwnMeetings'>['meetings'][number]

export type Resource = AnswerOf<'listOwnResources'>['resources'][number]

export type Connection = AnswerOf<'listOwnConnections'>['connections'][number]

export type Reward = AnswerOf<'listOwnIncentives'>['incentives'][number]

export type RewardCode = AnswerOf<'revealOwnIncentive'>

export const meals = ['breakfast', 'lunch', 'dinner', 'snack', 'other'] as const
export type Meal = (typeof meals)[number]
export type Portion = Food['portions'][number]

export type FoodEntry = AnswerOf<'listOwnFoodDiaryEntries'>['foodDiaryEntries'][number]

export type Food = AnswerOf<'searchFoods'>['foods'][number]
