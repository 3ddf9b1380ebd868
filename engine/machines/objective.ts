/**
 * An objective: works for a while, then waits for weeks for a reply, a date or a person. Pure: ids, counters and absolute dates
 * only, no texts, no clock: `at` of each event is its time in epoch milliseconds.
 *
 *   queued ─START▶ waking ─▶ opening ─WOKEN▶ intake ─UNDERSTOOD▶ deciding ─DECIDED▶ writing ─WRITTEN▶ acting
 *                    ▲                                             ▲  │                                │ ACTED
 *                    │                                             └──┼────────────────────────────────┤
 *                    └─────── WAKE | DUE ─────── waiting ◀────────────┴────────────────────────────────┘
 *                                                answer · reply · date · draft · paused
 *   anywhere: CANCEL ▶ cancelled, FINISH ▶ completed, FAIL ▶ failed, EXPIRE ▶ failed (LIMIT_TIME), too many wakes ▶ failed
 *
 * An event that wakes is counted everywhere (`unread`): what arrives while the objective acts is read after the action. The time
 * limit of a wake is the delayed event DEADLINE, which does not count while a person or a limit is awaited. The end of the life
 * is the delayed event EXPIRE, and the end of a wait is DUE.
 */
import {
  acted,
  askGoOn,
  decides,
  dropCalls,
  dropRole,
  dropWake,
  hearOwn,
  hears,
  readOutcome,
  makeCall,
  newObjective,
  notePause,
  noteWake,
  openWake,
  plan,
  startRole,
} from './objective-parts.ts';
import { objectiveSetup } from './objective-setup.ts';

export const objectiveMachine = objectiveSetup.createMachine({
  id: 'objective',
  version: '1',
  context: newObjective,
  initial: 'queued',
  on: {
    CANCEL: { target: '.cancelled' },
    FINISH: { target: '.completed' },
    FAIL: { target: '.failed', actions: 'fail' },
    EXPIRE: { target: '.failed', actions: 'failOnLife' },
    WAKE: { actions: hears },
    PAUSE: { actions: ['pause', notePause] },
    RESUME: { actions: ['unpause', notePause] },
    TIME_SHIFTED: { guard: 'isCounting', actions: ['shiftTime', 'setDeadline'] },
  },
  states: {
    queued: {
      tags: 'parked',
      on: {
        START: [
          { guard: 'isPaused', target: 'waiting.paused', actions: 'begin' },
          { target: 'working', actions: 'begin' },
        ],
        START_FAILED: { target: 'failed', actions: 'fail' },
      },
    },
    working: {
      initial: 'waking',
      exit: ['stopCounting', 'clearDeadline'],
      on: {
        DEADLINE: { target: 'waiting.answer', actions: askGoOn.ofTime },
        ROLE_LIMITED: { target: 'waiting.answer', actions: askGoOn.ofLimit },
        PAUSE: { target: 'waiting.paused', actions: ['pause', notePause] },
        CALL_PARKED: {
          guard: 'isRoleCall',
          actions: ['parkRole', 'stopCounting', 'clearDeadline', 'show'],
        },
        CALL_RESUMED: {
          guard: 'isRoleCall',
          actions: ['resumeRole', 'goOnCounting', 'setDeadline', 'show'],
        },
      },
      states: {
        waking: {
          entry: ['countWake', 'setDeadline'],
          always: [
            { guard: 'isOutOfWakes', target: '#objective.failed', actions: 'failOnWakes' },
            { target: 'opening' },
          ],
        },
        opening: {
          entry: ['show', openWake],
          exit: dropWake,
          on: {
            WOKEN: [
              { guard: 'hasNothingNew', target: 'deciding', actions: ['woken', 'setDeadline', 'setLife'] },
              { target: 'intake', actions: ['woken', 'setDeadline', 'setLife'] },
            ],
          },
        },
        intake: {
          entry: ['nextRole', startRole('intake')],
          exit: dropRole('intake'),
          on: {
            UNDERSTOOD: [
              { guard: 'hasUnread', target: 'waking' },
              { guard: 'isMore', target: 'intake', reenter: true },
              { guard: 'isAsked', target: '#objective.waiting.answer' },
              { target: 'deciding' },
            ],
          },
        },
        deciding: {
          entry: ['nextRole', startRole('planner')],
          exit: dropRole('planner'),
          on: {
            DECIDED: [
              { guard: 'hasUnread', target: 'waking' },
              {
                guard: 'isStubborn',
                target: '#objective.waiting.answer',
                actions: ['countRefusal', askGoOn.ofRules],
              },
              { guard: 'isRefused', target: 'deciding', reenter: true, actions: 'countRefusal' },
              { guard: decides('draft'), target: 'writing', actions: 'countDecision' },
              {
                guard: decides('callTool'),
                target: 'acting',
                actions: ['countDecision', plan('tool')],
              },
              {
                guard: decides('askUser'),
                target: '#objective.waiting.answer',
                actions: 'countDecision',
              },
              {
                guard: decides('waitForReply'),
                target: '#objective.waiting.reply',
                actions: 'countDecision',
              },
              {
                guard: decides('waitUntil'),
                target: '#objective.waiting.date',
                actions: 'countDecision',
              },
              {
                guard: decides('giveUp'),
                target: '#objective.failed',
                actions: ['countDecision', 'fail', 'giveUp'],
              },
              { target: '#objective.completed', actions: 'countDecision' },
            ],
          },
        },
        writing: {
          entry: ['nextRole', startRole('writer')],
          exit: dropRole('writer'),
          on: {
            WRITTEN: [
              { guard: 'hasUnread', target: 'waking' },
              { target: 'acting', actions: plan('draft') },
            ],
          },
        },
        acting: {
          initial: 'calling',
          entry: ['nextCall', makeCall],
          exit: [dropCalls, 'forgetCalls'],
          on: {
            // A call that has begun ends first.
            PAUSE: { actions: ['pause', notePause] },
            CALL_SETTLED: { guard: 'knowsCall', actions: 'settleCall' },
            CALL_PARKED: { guard: 'knowsCall', actions: 'parkCall' },
            CALL_RESUMED: { guard: 'knowsCall', actions: 'resumeCall' },
            CALLED: [
              { guard: 'wantsNothing', target: '.judging' },
              { target: '.running', actions: 'openedCalls' },
            ],
            ACTED: [
              { guard: acted('draft'), target: '#objective.waiting.draft', actions: 'waitUntil' },
              {
                guard: acted('sent'),
                target: '#objective.waiting.reply',
                actions: ['waitUntil', 'countSent'],
              },
              // The draft stays; what came meanwhile is read before anything leaves.
              { guard: 'isHeldBack', target: '#objective.waiting.draft', actions: 'waitUntil' },
              {
                guard: acted('send'),
                target: 'acting',
                reenter: true,
                actions: plan('send'),
              },
              { guard: 'isPaused', target: '#objective.waiting.paused' },
              { guard: 'hasUnread', target: 'waking' },
              {
                guard: 'isOutOfRounds',
                target: '#objective.waiting.answer',
                actions: askGoOn.ofRounds,
              },
              { target: 'deciding' },
            ],
          },
          states: {
            calling: {},
            running: {
              always: [
                { guard: 'noCalls', target: 'judging' },
                { guard: 'noneRuns', target: 'parked' },
              ],
            },
            parked: {
              tags: 'parked',
              entry: ['stopCounting', 'clearDeadline', 'show'],
              exit: ['goOnCounting', 'setDeadline', 'show'],
              always: [
                { guard: 'noCalls', target: 'judging' },
                { guard: 'someRun', target: 'running' },
              ],
              on: {
                // The question to the person is withdrawn: what has happened comes first.
                WAKE: [
                  { guard: 'isPaused', actions: hears },
                  { guard: 'isDraftSent', target: '#objective.noting', actions: noteWake },
                  { target: '#objective.working.waking', actions: hears },
                ],
                PAUSE: [
                  {
                    guard: 'isSending',
                    target: '#objective.waiting.draft',
                    actions: ['pause', notePause],
                  },
                  {
                    target: '#objective.waiting.paused',
                    actions: ['pause', notePause],
                  },
                ],
              },
            },
            judging: {
              entry: readOutcome,
            },
          },
        },
      },
    },
    noting: { entry: 'noteSent', on: { NOTED: { target: 'waiting.reply', actions: ['waitUntil', 'countSent'] } } },
    waiting: {
      tags: 'parked',
      initial: 'answer',
      exit: 'clearDue',
      on: {
        WAKE: [
          { guard: 'isPaused', actions: hears },
          { target: 'working', actions: hears },
        ],
        DUE: { guard: 'isDue', target: 'working', actions: hearOwn('date') },
        PAUSE: { actions: ['clearDue', 'pause', notePause] },
      },
      always: { guard: 'hasUnread', target: 'working' },
      states: {
        answer: { entry: 'show' },
        reply: {
          entry: ['show', 'setDue'],
          on: {
            WAKE: [
              { guard: 'isPaused', actions: hears },
              { guard: 'isSent', target: '#objective.noting', actions: noteWake },
              { target: '#objective.working', actions: hears },
            ],
            RESUME: { actions: ['unpause', notePause, 'setDue'] },
          },
        },
        date: {
          entry: ['show', 'setDue'],
          on: { RESUME: { actions: ['unpause', notePause, 'setDue'] } },
        },
        draft: {
          entry: 'show',
          on: {
            WAKE: [
              { guard: 'isPaused', actions: hears },
              { guard: 'isSent', target: '#objective.noting', actions: noteWake },
              { target: '#objective.working', actions: hears },
            ],
          },
        },
        paused: {
          entry: 'show',
          on: {
            RESUME: {
              target: '#objective.working',
              actions: ['unpause', notePause, hearOwn('resumed')],
            },
          },
        },
      },
    },
    completed: { type: 'final', entry: ['reach', 'clearLife', 'clearDeadline', 'finish'] },
    failed: { type: 'final', entry: ['clearLife', 'clearDeadline', 'finish'] },
    cancelled: { type: 'final', entry: ['abandon', 'clearLife', 'clearDeadline', 'finish'] },
  },
});
