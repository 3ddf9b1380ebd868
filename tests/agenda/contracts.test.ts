import { describeCalendar } from '../contracts/calendar.ts';
import { describeTodoList } from '../contracts/todo-list.ts';
import {
  openFolderStage,
  openGoogleStage,
  openGoogleTasksStage,
  openGraphStage,
  openGraphTodosStage,
  openStoredStage,
} from './stages.ts';

describeCalendar('a folder of .ics files', openFolderStage);
describeCalendar("Google's, by its own library", openGoogleStage);
describeCalendar("Microsoft's", openGraphStage);

describeTodoList('in our own store', openStoredStage);
describeTodoList("Google's, by its own library", openGoogleTasksStage);
describeTodoList("Microsoft's", openGraphTodosStage);
