"""Questions about forests: functions of their structure and of arrays, which do not know `Forest`."""
