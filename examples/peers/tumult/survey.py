"""The health survey, as Spark reads it."""

from pathlib import Path

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
survey = spark.read.csv(str(Path(__file__).parents[2] / "data" / "rand_hie.csv"), header=True, inferSchema=True)
