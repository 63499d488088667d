import { Stack } from 'aws-cdk-lib'
import { CfnQueryDefinition, LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { METRIC_DIMENSION, metrics } from '../../schemas/deployment/metrics.ts'
import type { Stage } from '../config.ts'

/** A saved query of CloudWatch Logs Insights for each process, of the figures of its log lines that are no metrics. */
export function addQueries(scope: Construct, { name, watched }: Stage): void {
  const logGroupNames = Stack.of(scope)
    .node.findAll()
    .flatMap((each) => (each instanceof LogGroup ? [each.logGroupName] : []))
  for (const [service, figures] of Object.entries(metrics)) {
    const unwatched = Object.keys(figures).filter((figure) => !watched.metrics.includes(figure))
    if (unwatched.length === 0) continue
    new CfnQueryDefinition(scope, `Query-${service}`, {
      name: `z100-${name}/${service}`,
      logGroupNames,
      queryString: [
        `fields @timestamp, ${unwatched.join(', ')}`,
        `filter ${METRIC_DIMENSION} = "${service}"`,
        'sort @timestamp desc',
      ].join('\n| '),
    })
  }
}
