/** The form itself, for the pages around it. */
export { Faults } from './faults'
export { NotLoaded } from './notLoaded'
export { FormView } from './view'
